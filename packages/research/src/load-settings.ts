// Settings from a file, the environment and flags, later ones winning; a bad value names itself, its value and what
// would be valid (C-43).
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, resolve } from "node:path";
import { ResearchError } from "./research-error.ts";
import { isSystemPath, resolveRoot } from "./roots.ts";
import { type Settings, settingsSchema } from "./settings.ts";

export interface SettingsSources {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** --root, each. */
  readonly roots: readonly string[];
  /** --config. */
  readonly file?: string | undefined;
}

/** Variable → place in the settings. */
const NUMBERS = {
  MCP_RESEARCH_MAX_FILES_READ: ["limits", "maxFilesRead"],
  MCP_RESEARCH_MAX_BYTES_READ: ["limits", "maxBytesRead"],
  MCP_RESEARCH_MAX_TOKENS: ["limits", "maxTokens"],
  MCP_RESEARCH_DEADLINE_MS: ["runtime", "defaultDeadlineMs"],
  MCP_RESEARCH_MAX_CONCURRENT_TASKS: ["runtime", "maxConcurrentTasks"],
} as const;

export function loadSettings(sources: SettingsSources): Settings {
  const { env, cwd } = sources;
  const file = sources.file ?? env.MCP_RESEARCH_CONFIG;
  const base = file === undefined || file === "" ? {} : readConfig(resolve(cwd, file));
  const given = withEnvironment(base, env);
  if (sources.roots.length > 0) given.roots = sources.roots.map((root) => resolve(cwd, root));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const words = parsed.error.issues.map((issue) => {
      const keys = issue.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")}` : "";
      return `${issue.path.join(".") || "settings"}=${JSON.stringify(valueAt(given, issue.path))}: ${issue.message}${keys}`;
    });
    throw new ResearchError("invalid_config", words.join("\n"), { hint: "see the README of packages/research" });
  }
  const settings = parsed.data;
  const none = settings.roots.length === 0;
  const roots = none ? [cwd] : settings.roots;
  for (const root of none ? [] : roots) {
    if (isSystemPath(resolve(root)))
      throw new ResearchError("invalid_config", `roots=${JSON.stringify(root)}: a system directory cannot be a root`);
  }
  // A home directory that a client happened to start in is no project.
  const usable = none && resolveRoot(cwd) === resolveRoot(env.HOME ?? "") ? [] : roots;
  return { ...settings, roots: [...usable] };
}

function readConfig(path: string): Record<string, unknown> {
  if (!existsSync(path)) throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: no such file`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: not JSON`);
  }
  if (!isRecord(value))
    throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: expected an object`);
  const from = (dir: unknown): unknown =>
    typeof dir === "string" && !isAbsolute(dir) ? resolve(dirname(path), dir) : dir;
  return {
    ...value,
    ...(Array.isArray(value.roots) ? { roots: value.roots.map(from) } : {}),
    ...(value.thoughts === undefined ? {} : { thoughts: from(value.thoughts) }),
  };
}

function withEnvironment(base: Record<string, unknown>, env: NodeJS.ProcessEnv): Record<string, unknown> {
  const given: Record<string, unknown> = { ...base };
  const part = (name: string): Record<string, unknown> => (isRecord(given[name]) ? { ...given[name] } : {});
  const roots = (env.MCP_RESEARCH_ROOTS ?? "").split(delimiter).filter((root) => root !== "");
  if (roots.length > 0) given.roots = roots;
  for (const [variable, [group, field]] of Object.entries(NUMBERS)) {
    const text = env[variable];
    if (text === undefined || text === "") continue;
    given[group] = { ...part(group), [field]: /^\d+$/.test(text) ? Number(text) : text };
  }
  if (env.MCP_RESEARCH_LOG_LEVEL) given.logging = { ...part("logging"), level: env.MCP_RESEARCH_LOG_LEVEL };
  if (env.MCP_RESEARCH_ARTIFACTS) given.artifacts = { ...part("artifacts"), dir: env.MCP_RESEARCH_ARTIFACTS };
  if (env.MCP_RESEARCH_INDEX) {
    const value = { on: true, off: false }[env.MCP_RESEARCH_INDEX] ?? env.MCP_RESEARCH_INDEX;
    given.index = { ...part("index"), enabled: value };
  }
  if (env.LM_STUDIO_URL) {
    const url = /\/v\d+\/?$/.test(env.LM_STUDIO_URL)
      ? env.LM_STUDIO_URL
      : `${env.LM_STUDIO_URL.replace(/\/+$/, "")}/v1`;
    given.provider = { ...part("provider"), url, ...(env.LM_STUDIO_MODEL ? { model: env.LM_STUDIO_MODEL } : {}) };
  }
  return given;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let at = given;
  for (const key of path) at = isRecord(at) ? at[String(key)] : Array.isArray(at) ? at[Number(key)] : undefined;
  return at;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
