// Whether files may be read that are not opened now, because their text was stored earlier.
import { isAbsolute, join, resolve } from "node:path";
import { realPlaceOf } from "@jeeves/base";
import type { WorkspaceError } from "../workspace-error.ts";
import { type ReadRules, toDeniedError } from "./read-rules.ts";

interface PathsToJudge {
  readonly paths: readonly string[];
  /** The directories that a relative path may count from; each of them is tried. */
  readonly bases: readonly string[];
}

/** The refusal of the first path that the rules forbid, as written or with its links resolved. */
export async function refusalOfPaths(
  rules: ReadRules,
  { paths, bases }: PathsToJudge,
): Promise<WorkspaceError | undefined> {
  for (const path of new Set(paths)) {
    if (path.includes("\0")) continue;
    const places = isAbsolute(path) ? [path] : bases.map((base) => join(base, path));
    for (const place of new Set(places.map((each) => resolve(each)))) {
      const verdict = rules.verdictOn(place) ?? rules.verdictOn(await realPlaceOf(place));
      if (verdict !== undefined) return toDeniedError(path, verdict);
    }
  }
  return undefined;
}
