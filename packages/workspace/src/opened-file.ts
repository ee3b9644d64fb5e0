// A file is judged by what was opened, not by its name: between a check of the path and the opening, a directory on
// the way may have become a link.
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { PROC } from "@jeeves/base";
import { createDenyRules } from "./deny.ts";
import { isInsideLexically, type Root } from "./root.ts";
import { joinRules, type ReadRules, toDeniedError, type Verdict } from "./rules/read-rules.ts";
import { invalidPath, type WorkspaceError } from "./workspace-error.ts";

const NO_GLOBS: readonly string[] = [];

/** What restricts reading beside the root. */
export interface GuardOptions {
  /** Globs that must not be read. */
  readonly deny?: readonly string[];
  /** Permission rules, as they are now. */
  readonly rules?: ReadRules;
}

/** Decides which files may be read: by name before they are opened, and by where they really are afterwards. */
export interface PathGuard {
  /** Why an absolute path may not be read; undefined where it may. */
  verdictOn(path: string): Verdict | undefined;
  /** The refusal of a file that was opened, by where it really is; undefined where it may be read. */
  refusalOf(opened: OpenedFile): WorkspaceError | undefined;
}

interface OpenedFile {
  readonly fd: number;
  readonly stats: Stats;
  /** The name that was opened. */
  readonly path: string | Buffer;
  /** The name for the message. */
  readonly shownPath: string;
}

/** A guard for one root. The deny list comes before the rules of clients; the root itself is never refused. */
export function createPathGuard(root: Root, { deny = NO_GLOBS, rules }: GuardOptions): PathGuard {
  const own = createDenyRules(root, { globs: deny, source: "the deny list" });
  const all = joinRules([own, ...(rules === undefined ? [] : [rules])]);
  // Rules are about files below the root: `.*` must not match the root and so refuse every search.
  const verdictOn = (path: string) => (path === root.path ? undefined : all.verdictOn(path));
  return {
    verdictOn,
    refusalOf(opened) {
      const places = placesOf(opened);
      if (places.length === 0) return invalidPath(opened.shownPath, "moved while it was opened");
      if (!places.every((path) => isInsideLexically(root.path, path)))
        return invalidPath(opened.shownPath, "is outside the root");
      const verdict = places.map(verdictOn).find((each) => each !== undefined);
      return verdict === undefined ? undefined : toDeniedError(opened.shownPath, verdict);
    },
  };
}

/** What the system appends to the name of a file that was replaced or removed since it was opened. */
const GONE = " (deleted)";

/**
 * The names by which an open file is judged, links resolved; none where they are unknown. A file may be replaced at
 * any moment, also right before this check, and a name may really end in " (deleted)": both readings must be allowed.
 */
function placesOf({ fd, stats, path }: OpenedFile): readonly string[] {
  try {
    const link = readlinkSync(`${PROC}/self/fd/${fd}`);
    return link.endsWith(GONE) ? [link, link.slice(0, -GONE.length)] : [link];
  } catch {
    const place = placeByName({ stats, path });
    return place === undefined ? [] : [place];
  }
}

/** macOS: O_NOFOLLOW_ANY, which refuses a name with a link anywhere in it. Node does not name it. */
const NO_LINKS = process.platform === "darwin" ? 0x2000_0000 : 0;

/**
 * Where there is no /proc: the name without links, if it still is the file that is open. A directory that becomes a link
 * between the two calls is noticed on macOS only.
 */
function placeByName({ stats, path }: Pick<OpenedFile, "stats" | "path">): string | undefined {
  try {
    const real = realpathSync.native(path, { encoding: "buffer" }); // a name may be no UTF-8
    const fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | NO_LINKS);
    try {
      const now = fstatSync(fd);
      return now.ino === stats.ino && now.dev === stats.dev ? real.toString() : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
