// Globs that must not be read. One without a slash holds at any depth, one with a slash from the root, by its relative or
// its absolute name; all hold for everything below what they name.
import type { Root } from "./root.ts";
import { compileGlob } from "./rules/glob.ts";
import { matchesPlaced, NO_RULES, type PlacedGlob, type ReadRules } from "./rules/read-rules.ts";

/** File systems there ignore case, and so do we. */
const IGNORE_CASE = process.platform !== "linux";

export interface DenyGlobs {
  readonly globs: readonly string[];
  /** The setting that holds them, for the refusal. */
  readonly source: string;
}

/** Compiled globs by the list that holds them: a caller that reads many files passes the same one each time. */
const compiled = new WeakMap<readonly string[], { readonly key: string; readonly rules: ReadRules }>();

/** The globs as rules; the same list is compiled once for a root. */
export function createDenyRules(root: Root, deny: DenyGlobs): ReadRules {
  const key = `${root.path}\0${root.alias ?? ""}\0${deny.source}`;
  const before = compiled.get(deny.globs);
  if (before?.key === key) return before.rules;
  const rules = compileAll(root, deny);
  compiled.set(deny.globs, { key, rules });
  return rules;
}

function compileAll(root: Root, { globs, source }: DenyGlobs): ReadRules {
  const rules = globs.flatMap((glob) => {
    const placed = place(root, glob);
    return placed === undefined ? [] : [{ placed, rule: glob.trim() }];
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

function place(root: Root, glob: string): PlacedGlob | undefined {
  const words = withoutRoot(root, glob.trim()).replace(/^\.\//, "").replace(/\/+$/, "");
  if (words === "") return undefined;
  const anyDepth = !words.includes("/");
  return { base: root.path, ...compileGlob(words, { ignoreCase: IGNORE_CASE, anyDepth }) };
}

function withoutRoot(root: Root, glob: string): string {
  const dir = [root.path, root.alias].find((path) => path !== undefined && glob.startsWith(`${path}/`));
  return dir === undefined ? glob : glob.slice(dir.length);
}
