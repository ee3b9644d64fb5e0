// opencode's permissions: `read` and every pattern that covers it, for the path relative to the repository (to `/` where
// there is none), and `grep` for the pattern of a search. The last rule that matches decides; `*` matches any characters,
// slashes included. A session runs as one of opencode's agents, and we do not know which: the rules of the default agent
// hold. A path that another agent with our tools may not read is refused here and left to opencode's own tools.
import { isAbsolute, relative, sep } from "node:path";
import { resolveLinks } from "../linked-glob.ts";
import type { ClientPlaces } from "./client-places.ts";
import { createOpencodeConfig, type OpencodeConfig } from "./opencode-config.ts";
import { isTree, type Leaf, type Tree } from "./opencode-tree.ts";
import { type ReadRules, type RuleProblem, rulesOrUnknown, unknownRules, type Verdict } from "./read-rules.ts";

interface OpencodeRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: string;
  readonly source: string;
}

interface AgentRules {
  readonly name: string;
  readonly rules: readonly OpencodeRule[];
}

interface Asked {
  /** A path relative to the repository, or the pattern of a search. */
  readonly name: string;
  /** The absolute path. */
  readonly path?: string;
  /** The home directory, as named and with links resolved. */
  readonly homes: readonly string[];
}

/** opencode's own rules, which come before all settings. */
const DEFAULTS: readonly OpencodeRule[] = (
  [
    ["*", "allow"],
    ["*.env", "ask"],
    ["*.env.*", "ask"],
    ["*.env.example", "allow"],
  ] as const
).map(([pattern, action]) => ({ permission: "read", pattern, action, source: "opencode's defaults" }));

/** opencode's names for our server's tools, as `jeeves init` sets it up. */
const OWN_TOOLS = { read: "jeeves_read", grep: "jeeves_grep" } as const;

/**
 * `current` reads the settings as they are now. `withDefaults` adds opencode's own rules about `.env` files. A source that
 * cannot be parsed refuses everything, and `onProblem` is called for it.
 */
export function createOpencodeRules(places: ClientPlaces) {
  const { home } = places;
  const worktrees = worktreesOf(places);
  const configNow = createOpencodeConfig(places);

  async function current(
    onProblem: (problem: RuleProblem) => void,
    { withDefaults }: { readonly withDefaults: boolean },
  ): Promise<ReadRules[]> {
    const config = await configNow(onProblem);
    const agents = rulesOfAgents(config, { first: withDefaults ? DEFAULTS : [], onProblem });
    const unknown = config.unusable.map(({ source, reason }) => unknownRules(source, reason));
    const own = await rulesOrUnknown("opencode's settings", async () => {
      const homes = [home, await resolveLinks(home)];
      return {
        verdictOn: (path) => strictest(namesOf(path).map((name) => verdictOf(agents, "read", { name, path, homes }))),
        verdictOnSearch: (pattern) => verdictOf(agents, "grep", { name: pattern, homes }),
      };
    });
    return [...unknown, own];
  }

  /** The names by which a pattern may mean a path. */
  function namesOf(path: string): string[] {
    return worktrees.map((worktree) => relative(worktree, path).split(sep).join("/"));
  }

  /** The first agent is the default one. */
  function verdictOf(agents: readonly AgentRules[], tool: "read" | "grep", asked: Asked): Verdict | undefined {
    for (const [index, { name, rules }] of agents.entries()) {
      const last = rules.findLast((rule) => isWild(rule.permission, tool) && isAbout(rule, asked));
      if (last === undefined || last.action === "allow") continue;
      const rule = `permission ${last.permission}: ${JSON.stringify(last.pattern)}`;
      if (index === 0) return { effect: last.action === "ask" ? "ask" : "deny", rule, source: last.source };
      if (last.action !== "ask" && hasTool(rules, OWN_TOOLS[tool]))
        return { effect: "agent", rule: `${rule} of the agent ${JSON.stringify(name)}`, source: last.source };
    }
    return undefined;
  }

  return { current };
}

/**
 * The directories that paths may count from. Outside of a repository that is `/` in opencode, while people write their
 * patterns for the project's directory: either may deny. The same holds where opencode may find another repository than we.
 */
function worktreesOf({ root, projectDirs, gitDir }: ClientPlaces): readonly string[] {
  const project = projectDirs.at(-1) ?? root;
  if (gitDir === project) return [project];
  return [...(gitDir === undefined ? [] : [gitDir]), "/", project];
}

function strictest(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  return verdicts.find((verdict) => verdict?.effect === "deny") ?? verdicts.find((verdict) => verdict !== undefined);
}

/** Absolute patterns match in some versions of opencode only: here they can deny, but never allow. */
function isAbout({ pattern, action }: OpencodeRule, { name, path, homes }: Asked): boolean {
  const known = action === "allow" ? homes.slice(0, 1) : homes;
  return known.some((home) => {
    const expanded = expandHome(pattern, home);
    if (isWild(expanded, name)) return true;
    return path !== undefined && action !== "allow" && isAbsolute(expanded) && isWild(expanded, path);
  });
}

function rulesOfAgents(
  { permission, agents, defaultAgent }: OpencodeConfig,
  { first, onProblem }: { readonly first: readonly OpencodeRule[]; readonly onProblem: (problem: RuleProblem) => void },
): AgentRules[] {
  const shared = [...first, ...toRules(permission, onProblem)];
  const ownOf = (name: string) => {
    const agent = agents.get(name);
    const isDisabled = isTree(agent) && (agent.get("disable") as Leaf | undefined)?.value === true;
    const own = isTree(agent) && !isDisabled ? agent.get("permission") : undefined;
    return isTree(own) ? toRules(own, onProblem) : [];
  };
  return [defaultAgent, ...[...agents.keys()].filter((name) => name !== defaultAgent)]
    .map((name) => ({ name, own: ownOf(name) }))
    .filter(({ name, own }) => name === defaultAgent || own.length > 0)
    .map(({ name, own }) => ({ name, rules: [...shared, ...own] }));
}

/** An action that opencode does not know denies, and is reported where it is about reading or searching. */
function toRules(permission: Tree, onProblem: (problem: RuleProblem) => void): OpencodeRule[] {
  return [...permission].flatMap(([key, node]) => {
    const entries = isTree(node) ? [...node] : [["*", node] as const];
    return entries.map(([pattern, leaf]) => {
      const { value, source } = isTree(leaf) ? { value: undefined, source: sourceOf(leaf) } : leaf;
      const isKnown = value === "allow" || value === "ask" || value === "deny";
      if (!isKnown && (isWild(key, "read") || isWild(key, "grep"))) {
        const rule = `permission ${key}: ${JSON.stringify(pattern)}`;
        onProblem({ source, rule, message: "is none of allow, ask and deny" });
      }
      return { permission: key, pattern, action: isKnown ? value : "deny", source };
    });
  });
}

function sourceOf(tree: Tree): string {
  for (const node of tree.values()) return isTree(node) ? sourceOf(node) : node.source;
  return "opencode's settings";
}

/** Whether an agent is offered a tool: not where the last rule denies it for everything. */
function hasTool(rules: readonly OpencodeRule[], name: string): boolean {
  const last = rules.findLast(({ permission }) => isWild(permission, name));
  return !(last?.pattern === "*" && last.action === "deny");
}

function expandHome(pattern: string, home: string): string {
  return pattern.replace(/^(?:~(?=\/|$)|\$HOME)/, () => home);
}

/** As opencode matches: `*` any characters, `?` one, ` *` at the end also nothing. */
function isWild(pattern: string, text: string): boolean {
  const [glob, name] = [pattern.replaceAll("\\", "/"), text.replaceAll("\\", "/")];
  return matchesGlob(glob, name) || (glob.endsWith(" *") && matchesGlob(glob.slice(0, -2), name));
}

/** Without a regular expression, so that no pattern takes exponential time. */
function matchesGlob(pattern: string, text: string): boolean {
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
