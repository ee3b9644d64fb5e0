// opencode's `permission`: the settings files merged in its own order, `read` and whatever pattern covers it, for the
// path relative to the repository. The last rule that matches decides; `*` stands for any characters, slashes too.
import { join, relative, sep } from "node:path";
import type { ClientPlaces } from "./client-places.ts";
import { parseJsonc } from "./jsonc.ts";
import type { ReadRules, RuleProblem } from "./read-rules.ts";
import { createSettingsReader } from "./settings-reader.ts";

type Permission = Readonly<Record<string, unknown>>;

interface OpencodeRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: string;
  readonly source: string;
}

/** What opencode itself puts before every setting. */
const DEFAULTS: readonly OpencodeRule[] = (
  [
    ["*", "allow"],
    ["*.env", "ask"],
    ["*.env.*", "ask"],
    ["*.env.example", "allow"],
  ] as const
).map(([pattern, action]) => ({ permission: "read", pattern, action, source: "opencode's defaults" }));

export function createOpencodeRules({
  root,
  projectDirs,
  env,
  home,
  opencodeSystemDir = "/etc/opencode",
}: ClientPlaces) {
  const worktree = projectDirs.at(-1) ?? root;
  const reader = createSettingsReader((text) => parsePermission(text));
  const namesIn = (dir: string) => ["opencode.json", "opencode.jsonc"].map((name) => join(dir, name));
  const userDir = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
  const outermostFirst = [...projectDirs].reverse();
  // Later files win.
  const files = [
    join(userDir, "config.json"),
    ...namesIn(userDir),
    ...(env.OPENCODE_CONFIG ? [env.OPENCODE_CONFIG] : []),
    ...outermostFirst.flatMap(namesIn),
    ...outermostFirst.flatMap((dir) => namesIn(join(dir, ".opencode"))),
    ...namesIn(join(home, ".opencode")),
    ...(env.OPENCODE_CONFIG_DIR ? namesIn(env.OPENCODE_CONFIG_DIR) : []),
    ...namesIn(opencodeSystemDir),
  ];

  async function current(
    onProblem: (problem: RuleProblem) => void,
    { withDefaults }: { readonly withDefaults: boolean },
  ): Promise<ReadRules[]> {
    const found = await Promise.all(files.map(async (path) => ({ path, settings: await reader.read(path) })));
    const merged = new Map<string, Map<string, OpencodeRule>>();
    const unknown: ReadRules[] = [];
    for (const { path, settings } of found) {
      if (settings.kind === "missing") continue;
      if (settings.kind === "value") mergeInto(merged, settings.value, path);
      else onProblem({ source: path, message: settings.reason });
      if (settings.kind === "unusable")
        unknown.push({ verdictOn: () => ({ effect: "unknown", rule: settings.reason, source: path }) });
    }
    const own = [...merged.values()].flatMap((rules) => [...rules.values()]);
    const rules = [...(withDefaults ? DEFAULTS : []), ...own].filter(({ permission }) => isWild(permission, "read"));
    return [...unknown, { verdictOn: (path) => verdictOf(rules, path) }];
  }

  function verdictOf(rules: readonly OpencodeRule[], path: string): ReturnType<ReadRules["verdictOn"]> {
    const name = relative(worktree, path).split(sep).join("/");
    const last = rules.findLast(({ pattern }) => isWild(expandHome(pattern, home), name));
    if (last === undefined || last.action === "allow") return undefined;
    const rule = `permission ${last.permission}: ${JSON.stringify(last.pattern)}`;
    return { effect: last.action === "ask" ? "ask" : "deny", rule, source: last.source };
  }

  return { current };
}

function parsePermission(text: string): Permission {
  const settings = parseJsonc(text);
  if (settings === undefined) throw new Error("is not valid JSON");
  const permission = isRecord(settings) ? settings.permission : undefined;
  if (isRecord(permission)) return permission;
  return typeof permission === "string" ? { "*": permission } : {};
}

/** As opencode merges: keys keep their place, values are replaced, a word replaces a table and the other way round. */
function mergeInto(merged: Map<string, Map<string, OpencodeRule>>, permission: Permission, source: string): void {
  for (const [key, value] of Object.entries(permission)) {
    const isTable = isRecord(value);
    const before = merged.get(key);
    const rules = isTable && before !== undefined && !before.has("") ? before : new Map<string, OpencodeRule>();
    // The word for all patterns stands under "".
    const entries = isTable ? Object.entries(value) : [["", value] as const];
    for (const [pattern, action] of entries)
      rules.set(pattern, { permission: key, pattern: pattern || "*", action: String(action), source });
    merged.set(key, rules);
  }
}

function expandHome(pattern: string, home: string): string {
  return pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}

/** `*` any characters, `?` one; linear, so that no pattern can hold us. */
function isWild(pattern: string, text: string): boolean {
  let [p, t, star, from] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      from = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
