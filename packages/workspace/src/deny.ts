// Globs that must not be read. One without a slash holds at any depth, one with a slash from the root, by its relative or
// its absolute name (`~/` and `$HOME/` are the home directory); all hold for everything below what they name.
import { isAbsolute } from "node:path";
import type { Root } from "./root.ts";
import { compileGlob, escapeGlob } from "./rules/glob.ts";
import { matchesPlaced, NO_RULES, type PlacedGlob, placeGlob, type ReadRules } from "./rules/read-rules.ts";

/** File systems there ignore case, and so do we. */
const IGNORE_CASE = process.platform !== "linux";

export interface DenyGlobs {
  readonly globs: readonly string[];
  /** The setting that holds them, for the refusal. */
  readonly source: string;
  /** The user's home directory, as it is named and with links resolved. */
  readonly homes?: readonly string[];
}

/** Compiled globs by the list that holds them: a caller that reads many files passes the same one each time. */
const compiled = new WeakMap<readonly string[], { readonly key: string; readonly rules: ReadRules }>();

/** The globs as rules; the same list is compiled once for a root. */
export function createDenyRules(root: Root, deny: DenyGlobs): ReadRules {
  const key = `${root.path}\0${root.alias ?? ""}\0${deny.source}\0${deny.homes?.join("\0") ?? ""}`;
  const before = compiled.get(deny.globs);
  if (before?.key === key) return before.rules;
  const rules = compileAll(root, deny);
  compiled.set(deny.globs, { key, rules });
  return rules;
}

function compileAll(root: Root, { globs, source, homes = [] }: DenyGlobs): ReadRules {
  const rules = globs.flatMap((glob) => {
    const rule = glob.trim();
    const inHomes = withHome(rule, homes);
    const placed = (inHomes ?? [rule]).flatMap((each) => place(root, each, { isHome: inHomes !== undefined }));
    return placed.map((each) => ({ placed: each, rule }));
  });
  if (rules.length === 0) return NO_RULES;
  return {
    verdictOn(path) {
      const found = rules.find(({ placed }) => matchesPlaced(placed, path));
      return found === undefined ? undefined : { effect: "deny", rule: found.rule, source };
    },
  };
}

/** What is wrong with a glob; undefined where nothing is. */
export function faultOfGlob(glob: string): string | undefined {
  return compileGlob(glob.trim(), { ignoreCase: IGNORE_CASE, anyDepth: true }).fault;
}

function place(root: Root, glob: string, { isHome }: { readonly isHome: boolean }): PlacedGlob[] {
  const words = withoutRoot(root, glob).replace(/^\.\//, "").replace(/\/+$/, "");
  if (words === "") return [];
  const placed = placeGlob(root.path, words, { ignoreCase: IGNORE_CASE, anyDepth: !words.includes("/") });
  if (!isAbsolute(glob)) return [placed];
  // An absolute name may hold a wildcard above the root. One that covers the whole root is a name inside it: `/app`.
  const absolute = placeGlob("/", glob, { ignoreCase: IGNORE_CASE, anyDepth: false });
  const coversRoot = absolute.fault === undefined && matchesPlaced(absolute, root.path);
  return coversRoot && !isHome ? [placed] : [placed, absolute];
}

/** undefined: the glob does not begin with the home's sign. */
function withHome(glob: string, homes: readonly string[]): readonly string[] | undefined {
  const below = /^(?:~|\$HOME)(\/.*|)$/s.exec(glob)?.[1];
  if (below === undefined || homes.length === 0) return undefined;
  return homes.map((home) => `${escapeGlob(home)}${below}`);
}

function withoutRoot(root: Root, glob: string): string {
  const dirs = [root.path, root.alias].flatMap((path) => (path === undefined ? [] : [path, escapeGlob(path)]));
  const dir = dirs.find((path) => glob.startsWith(`${path}/`));
  return dir === undefined ? glob : glob.slice(dir.length);
}
