// Rules that name directories which are links: they also hold for the directory behind the link. Links are resolved
// for every call, because they may change, and with a deadline, because a rule may name a mount that hangs.
import { basename, dirname, join } from "node:path";
import { realPlaceOf, within } from "@jeeves/base";
import { escapeGlob, type GlobOptions } from "./rules/glob.ts";
import { type PlacedGlob, placeGlob, segmentsBelow } from "./rules/read-rules.ts";

const DEADLINE_MS = 5_000;
/** One lookup per path at a time: where a file system hangs, each further try would block one more thread. */
const underWay = new Map<string, Promise<string>>();

/** The path with its links resolved. Rejects where that takes too long. */
export async function resolveLinks(path: string): Promise<string> {
  const pending = underWay.get(path) ?? realPlaceOf(path).finally(() => underWay.delete(path));
  underWay.set(path, pending);
  const real = await within(DEADLINE_MS, pending);
  if (real === undefined) throw new Error(`names ${path}, which could not be resolved within ${DEADLINE_MS} ms`);
  return real;
}

/** As resolveLinks, but links inside `root` are not followed: an agent can make them, and must not widen a permission. */
export async function resolveLinksAbove(root: string, path: string): Promise<string> {
  const isInside = (place: string) => segmentsBelow(root, place) !== undefined;
  if (isInside(path)) return path;
  const real = await resolveLinks(path);
  if (!isInside(real)) return real;
  const parts = path.split("/");
  for (let count = 1; count < parts.length; count++) {
    const place = await resolveLinks(parts.slice(0, count).join("/") || "/");
    if (isInside(place)) return join(place, ...parts.slice(count));
  }
  return real;
}

/** A glob whose literal directories may be links. */
export interface LinkedGlob {
  /** The glob as written, links not resolved. */
  readonly written: PlacedGlob;
  /** The written glob and, where a directory in it is a link, the same glob behind the link as it is now. */
  current(): Promise<readonly PlacedGlob[]>;
}

/** As `placeGlob`, for a glob that may name links. */
export function placeLinkedGlob(base: string, glob: string, options: GlobOptions): LinkedGlob {
  const written = placeGlob(base, glob, options);
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  const isAnywhere = options.anyDepth && parts.length === 1;
  const wild = isAnywhere ? 0 : parts.findIndex((part) => part === ".." || /[*?[\]{}\\]/.test(part));
  const literal = join(base, ...parts.slice(0, wild < 0 ? parts.length : wild));
  const rest = wild < 0 ? "" : parts.slice(wild).join("/");
  let twin: { readonly real: string; readonly glob: PlacedGlob } | undefined;
  return {
    written,
    async current() {
      const real = await resolveLinks(literal);
      if (real === literal) return [written];
      if (twin?.real !== real) twin = { real, glob: placeBelow(real, rest, { ...options, anyDepth: isAnywhere }) };
      return [written, twin.glob];
    },
  };
}

/** `rest`: the part of the glob behind the link; empty where the glob names the link itself. */
function placeBelow(real: string, rest: string, options: GlobOptions): PlacedGlob {
  if (rest !== "") return placeGlob(real, rest, options);
  return placeGlob(dirname(real), escapeGlob(basename(real)) || "**", options);
}
