// The permissions in opencode's settings, merged in its own order: settings files, the front matter of agents and modes,
// OPENCODE_CONFIG_CONTENT and OPENCODE_PERMISSION. Settings that opencode fetches from a server are not seen.
import { isAbsolute, join, parse, resolve } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { dirsWithin } from "../project.ts";
import type { ClientPlaces } from "./client-places.ts";
import { parseJsonc } from "./jsonc.ts";
import { findAgentFiles } from "./opencode-agents.ts";
import { mergeTrees, type Tree, toAgent, toPermission, toTools } from "./opencode-tree.ts";
import type { RuleProblem } from "./read-rules.ts";
import { createSettingsReader, type Settings } from "./settings-reader.ts";

/** The merged settings; agents include the older modes. */
export interface OpencodeConfig {
  readonly permission: Tree;
  readonly agents: Tree;
  readonly defaultAgent: string;
  /** Sources that we cannot parse, although opencode may. */
  readonly unusable: readonly { readonly source: string; readonly reason: string }[];
}

interface Layer {
  readonly permission?: Tree;
  readonly tools?: Tree;
  readonly agent?: Tree;
  readonly mode?: Tree;
  readonly defaultAgent?: string;
}

type Source = { readonly path: string } | { readonly agentsOf: string } | { readonly text: string; name: string };

/** Returns a function that reads the settings as they are now; files that did not change are not parsed again. */
export function createOpencodeConfig(places: ClientPlaces) {
  const { root, env, home } = places;
  const texts = createSettingsReader((text) => text);
  const agentFiles = createSettingsReader(async (text) =>
    (await import("./opencode-front-matter.ts")).parseFrontMatter(text),
  );
  const parsed = new Map<string, { readonly text: string; readonly layer: Layer }>();
  const sources = sourcesOf(places);

  return async function current(onProblem: (problem: RuleProblem) => void): Promise<OpencodeConfig> {
    const unusable: { source: string; reason: string }[] = [];
    const reject = (source: string, reason: string) => {
      onProblem({ source, message: reason });
      unusable.push({ source, reason });
    };
    let merged: Layer = {};
    for (const source of sources)
      if ("agentsOf" in source) merged = mergeLayers(merged, await agentsIn(source.agentsOf, reject, onProblem));
      else {
        const layer = await layerOf(source, reject, onProblem);
        if (layer !== undefined) merged = mergeLayers(merged, layer);
      }
    merged = mergeLayers(merged, { permission: permissionOfEnv(env, onProblem) });
    return {
      // `tools` is the older form: permissions come after it, and so override it.
      permission: mergeTrees(merged.tools, merged.permission),
      agents: mergeTrees(merged.agent, merged.mode),
      defaultAgent: merged.defaultAgent ?? "build",
      unusable,
    };
  };

  async function layerOf(
    source: { readonly path: string } | { readonly text: string; readonly name: string },
    reject: (source: string, reason: string) => void,
    onProblem: (problem: RuleProblem) => void,
  ): Promise<Layer | undefined> {
    const [name, dir] = "path" in source ? [source.path, resolve(source.path, "..")] : [source.name, root];
    const settings: Settings<string> =
      "path" in source ? await texts.read(source.path) : { kind: "value", value: source.text };
    if (settings.kind === "locked") onProblem({ source: name, message: settings.reason });
    if (settings.kind === "unusable") reject(name, settings.reason);
    if (settings.kind !== "value") return undefined;
    try {
      const text = await substitute(settings.value, dir);
      const before = parsed.get(name);
      if (before?.text === text) return before.layer;
      const value = parseJsonc(text);
      if (value === undefined) throw new Error("is not valid JSON");
      const layer = toLayer(value, name);
      parsed.set(name, { text, layer });
      return layer;
    } catch (error) {
      reject(name, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** `{env:NAME}` and `{file:path}`, replaced in the text before it is parsed; not in lines that are comments. */
  async function substitute(text: string, dir: string): Promise<string> {
    const withEnv = text.replace(/\{env:([^}]+)\}/g, (_, name: string) => env[name] ?? "");
    const parts: string[] = [];
    let end = 0;
    for (const found of withEnv.matchAll(/\{file:([^}]+)\}/g)) {
      const line = withEnv.slice(withEnv.lastIndexOf("\n", found.index - 1) + 1, found.index);
      if (line.trimStart().startsWith("//")) continue;
      parts.push(withEnv.slice(end, found.index), await contentOf(found[1] ?? "", dir));
      end = found.index + found[0].length;
    }
    return parts.join("") + withEnv.slice(end);
  }

  async function contentOf(name: string, dir: string): Promise<string> {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : isAbsolute(name) ? name : resolve(dir, name);
    const content = await texts.read(path);
    if (content.kind === "value") return JSON.stringify(content.value.trim()).slice(1, -1);
    throw new Error(`names {file:${name}}, which ${content.kind === "missing" ? "is missing" : content.reason}`);
  }

  async function agentsIn(
    dir: string,
    reject: (source: string, reason: string) => void,
    onProblem: (problem: RuleProblem) => void,
  ): Promise<Layer> {
    const { files, isComplete } = await findAgentFiles(dir);
    if (!isComplete) reject(dir, "holds too many agents");
    let agents: Tree = new Map();
    for (const { path, name } of files) {
      const settings = await agentFiles.read(path);
      if (settings.kind === "missing") continue;
      if (settings.kind !== "value") {
        onProblem({ source: path, message: settings.reason });
        continue;
      }
      if (settings.value.fault !== undefined) onProblem({ source: path, message: settings.value.fault });
      const own = settings.value.agent;
      const key = typeof own.name === "string" ? own.name : name;
      agents = mergeTrees(agents, new Map([[key, toAgent(own, path)]]));
    }
    return { agent: agents };
  }
}

/** The sources in opencode's order: later ones override earlier ones. */
function sourcesOf({ root, projectDirs, gitDir, env, home, opencodeSystemDir }: ClientPlaces): Source[] {
  const settingsIn = (dir: string): Source[] =>
    ["opencode.json", "opencode.jsonc"].map((name) => ({ path: join(dir, name) }));
  const userDir = clientHomeOf(traitsOf("opencode"), { ...env, HOME: home });
  const isProjectRead = !/^(?:true|1)$/i.test(env.OPENCODE_DISABLE_PROJECT_CONFIG ?? "");
  // Outside of a repository its worktree is the whole file system, and every directory above may have settings.
  const isRepository = gitDir === (projectDirs.at(-1) ?? root);
  const inProject = !isProjectRead ? [] : isRepository ? projectDirs : dirsWithin(parse(root).root, root);
  // The innermost directory comes first here, and last among the settings beside the code.
  const ownDirs = [...new Set([...inProject, home].map((dir) => join(dir, ".opencode")))];
  const extra = env.OPENCODE_CONFIG_DIR ? [resolve(root, env.OPENCODE_CONFIG_DIR)] : [];
  const content = env.OPENCODE_CONFIG_CONTENT;
  return [
    { path: join(userDir, "config.json") },
    ...settingsIn(userDir),
    ...(env.OPENCODE_CONFIG ? [{ path: resolve(root, env.OPENCODE_CONFIG) }] : []),
    ...[...inProject].reverse().flatMap(settingsIn),
    { agentsOf: userDir },
    ...[...ownDirs, ...extra].flatMap((dir) => [...settingsIn(dir), { agentsOf: dir }]),
    ...(content ? [{ text: content, name: "OPENCODE_CONFIG_CONTENT" }] : []),
    ...settingsIn(opencodeSystemDir ?? systemDir()),
  ];
}

function systemDir(): string {
  return process.platform === "darwin" ? "/Library/Application Support/opencode" : "/etc/opencode";
}

function toLayer(value: unknown, source: string): Layer {
  if (!isRecord(value)) return {};
  const agentsOf = (agents: unknown): Tree =>
    new Map(Object.entries(isRecord(agents) ? agents : {}).map(([name, agent]) => [name, toAgent(agent, source)]));
  return {
    permission: toPermission(value.permission, source),
    tools: toTools(value.tools, source),
    agent: agentsOf(value.agent),
    mode: agentsOf(value.mode),
    ...(typeof value.default_agent === "string" ? { defaultAgent: value.default_agent } : {}),
  };
}

/** opencode skips a value that is not JSON. */
function permissionOfEnv(env: NodeJS.ProcessEnv, onProblem: (problem: RuleProblem) => void): Tree {
  const source = "OPENCODE_PERMISSION";
  if (!env[source]) return new Map();
  try {
    return toPermission(JSON.parse(env[source]), source);
  } catch {
    onProblem({ source, message: "is not valid JSON" });
    return new Map();
  }
}

function mergeLayers(first: Layer, second: Layer): Layer {
  const defaultAgent = second.defaultAgent ?? first.defaultAgent;
  return {
    permission: mergeTrees(first.permission, second.permission),
    tools: mergeTrees(first.tools, second.tools),
    agent: mergeTrees(first.agent, second.agent),
    mode: mergeTrees(first.mode, second.mode),
    ...(defaultAgent === undefined ? {} : { defaultAgent }),
  };
}
