// Globs that must not be read. One without a slash holds at any depth, one with a slash from the root, by its relative or
// its absolute name (`~/` and `$HOME/` are the home directory); all hold for everything below what they name. One that
// names the root itself, or a directory above it, refuses everything.
import { isAbsolute } from "node:path";
import { type LinkedGlob, placeLinkedGlob } from "./linked-glob.ts";
import type { Root } from "./root.ts";
import { compileGlob, escapeGlob } from "./rules/glob.ts";
import { matchesPlaced, NO_RULES, type PlacedGlob, type ReadRules, rulesOrUnknown } from "./rules/read-rules.ts";

/** The usual file systems of these platforms ignore case, and so do the globs. */
const IGNORE_CASE = process.platform !== "linux";
/** Those who write such globs mean the shell's, which has more forms than we know. */
const OURS = { ignoreCase: IGNORE_CASE, refusesExtended: true } as const;

interface DenyGlobs {
  readonly globs: readonly string[];
  /** The setting that contains them, named in the refusal. */
  readonly source: string;
  /** The user's home directory, as named and with links resolved. */
  readonly homes?: readonly string[];
}

interface DenyRule {
  readonly rule: string;
  readonly glob: LinkedGlob;
}

/** Compiled globs by their list: a caller that reads many files passes the same list each time. */
const compiled = new WeakMap<readonly string[], { readonly key: string; readonly rules: readonly DenyRule[] }>();

/** The globs as rules, by the names in them; the same list is compiled once for a root. */
export function createDenyRules(root: Root, deny: DenyGlobs): ReadRules {
  const rules = rulesOf(root, deny).map(({ rule, glob }) => ({ rule, globs: [glob.written] }));
  return toReadRules(rules, deny.source);
}

/** As createDenyRules, with links in absolute names resolved as they are now. */
export function currentDenyRules(root: Root, deny: DenyGlobs): Promise<ReadRules> {
  return rulesOrUnknown(deny.source, async () => {
    const rules = rulesOf(root, deny).map(async ({ rule, glob }) => ({ rule, globs: await glob.current() }));
    return toReadRules(await Promise.all(rules), deny.source);
  });
}

function toReadRules(
  rules: readonly { readonly rule: string; readonly globs: readonly PlacedGlob[] }[],
  source: string,
): ReadRules {
  if (rules.length === 0) return NO_RULES;
  return {
    verdictOn(path) {
      const found = rules.find(({ globs }) => globs.some((glob) => matchesPlaced(glob, path)));
      return found === undefined ? undefined : { effect: "deny", rule: found.rule, source };
    },
  };
}

function rulesOf(root: Root, deny: DenyGlobs): readonly DenyRule[] {
  const { globs, source, homes = [] } = deny;
  const key = [root.path, root.alias ?? "", source, ...homes].join("\0");
  const before = compiled.get(globs);
  if (before?.key === key) return before.rules;
  const rules = globs.flatMap((each) => {
    const rule = each.trim();
    return (withHome(rule, homes) ?? [rule]).flatMap((name) => place(root, name)).map((glob) => ({ rule, glob }));
  });
  compiled.set(globs, { key, rules });
  return rules;
}

/** What is wrong with a glob; undefined where nothing is. */
export function faultOfGlob(glob: string): string | undefined {
  return compileGlob(glob.trim(), { ...OURS, anyDepth: true }).fault;
}

function place(root: Root, glob: string): LinkedGlob[] {
  if (glob === "") return [];
  const words = withoutRoot(root, glob).replace(/^\.\//, "").replace(/\/+$/, "");
  const isRoot = words === "" || words === ".";
  const options = { ...OURS, anyDepth: !words.includes("/") };
  const placed = placeLinkedGlob(root.path, isRoot ? "**" : words, options);
  // An absolute name may lie above the root, and have a wildcard or a link there.
  return isAbsolute(glob) ? [placed, placeLinkedGlob("/", glob, { ...options, anyDepth: false })] : [placed];
}

/** Undefined where the glob does not begin with `~/` or `$HOME/`. */
function withHome(glob: string, homes: readonly string[]): readonly string[] | undefined {
  const below = /^(?:~|\$HOME)(\/.*|)$/s.exec(glob)?.[1];
  if (below === undefined || homes.length === 0) return undefined;
  return homes.map((home) => `${escapeGlob(home)}${below}`);
}

function withoutRoot(root: Root, glob: string): string {
  const dirs = [root.path, root.alias].flatMap((path) => (path === undefined ? [] : [path, escapeGlob(path)]));
  const dir = dirs.find((path) => `${glob}/`.startsWith(`${path}/`));
  return dir === undefined ? glob : glob.slice(dir.length);
}
