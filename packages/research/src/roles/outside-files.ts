// What the question spells out and only files outside of the corpus have: too large, generated or packed. ripgrep
// found the place, and nothing of these files is read or quoted.
import type { OpenedRoot } from "../open-roots.ts";
import { type ResearchRoot, toReference } from "../roots.ts";
import { isNameIn } from "../words/path-names.ts";
import type { Question } from "../words/question.ts";

/** Where a literal stands, in a file that is not in the corpus. */
interface OutsidePlace {
  readonly reference: string;
  readonly isLarge: boolean;
}

const MAX_NAMES = 5;

/** Literal → where it is met first, for those that no file of the corpus has. */
export function placesOutside(
  opened: readonly OpenedRoot[],
  question: Question,
  roots: readonly ResearchRoot[],
): ReadonlyMap<string, OutsidePlace> {
  const found = new Map<string, OutsidePlace>();
  const add = (text: string, at: Parameters<typeof toReference>[0], large: readonly string[]): void => {
    if (found.size < MAX_NAMES)
      found.set(text, { reference: toReference(at, roots), isLarge: large.includes(at.path) });
  };
  for (const { text } of question.literals) {
    const isInside = opened.some(({ corpus, exact }) =>
      [...(exact.places.get(text)?.keys() ?? [])].some((path) => corpus.fileAt(path) !== undefined),
    );
    if (isInside) continue;
    for (const { root, exact, largeFiles } of opened) {
      const [first] = [...(exact.places.get(text) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      const line = first?.[1][0];
      if (first === undefined || line === undefined || found.has(text)) continue;
      add(text, { root, path: first[0], line }, largeFiles);
    }
  }
  for (const name of question.identifiers) {
    if (opened.some(({ exact }) => exact.occurring.has(name))) continue;
    for (const { root, largeFiles } of opened) {
      const path = found.has(name) ? undefined : largeFiles.find((each) => isNameIn(each, name));
      if (path !== undefined) add(name, { root, path }, largeFiles);
    }
  }
  return found;
}
