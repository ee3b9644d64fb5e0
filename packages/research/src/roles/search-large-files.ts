// Names that no scanned file has, looked for in the files that are too large to be scanned: ripgrep says where, and
// nothing of them is read or quoted.
import { searchText } from "@jeeves/workspace";
import type { OpenedRoot } from "../open-roots.ts";
import { type ResearchRoot, toReference } from "../roots.ts";
import { isNameIn } from "../words/path-names.ts";

const MAX_FILES = 50;
const MAX_NAMES = 5;
const TIMEOUT_MS = 5_000;

export interface LargeFileSearch {
  readonly deny: readonly string[];
  readonly signal: AbortSignal;
  /** Every root that is searched: their number decides how a reference is written. */
  readonly roots: readonly ResearchRoot[];
}

/** Name → where it is met first. */
export async function searchLargeFiles(
  opened: readonly OpenedRoot[],
  names: readonly string[],
  { deny, signal, roots }: LargeFileSearch,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { root, largeFiles } of opened) {
    const paths = largeFiles.slice(0, MAX_FILES);
    for (const name of paths.length === 0 ? [] : names.slice(0, MAX_NAMES)) {
      if (found.has(name)) continue;
      const named = largeFiles.find((path) => isNameIn(path, name));
      if (named !== undefined) {
        found.set(name, toReference({ root, path: named }, roots));
        continue;
      }
      const { matches } = await searchText(
        { path: root.path },
        {
          pattern: name,
          paths,
          fixedString: true,
          caseSensitive: true,
          timeoutMs: TIMEOUT_MS,
          maxMatches: 1,
          maxBytes: 1_000,
          deny,
          signal,
        },
      );
      const [first] = matches;
      if (first !== undefined) found.set(name, toReference({ root, path: first.path, line: first.line }, roots));
    }
  }
  return found;
}
