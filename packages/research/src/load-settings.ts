// Settings from a file, the environment and flags, later ones winning; the error for a bad value has its name, the
// value and what would be valid (C-43).
import { readFileSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, resolve } from "node:path";
import { homeOf, isRecord, systemCodeOf } from "@jeeves/base";
import { ResearchError } from "./research-error.ts";
import { isSystemPath, resolveRoot } from "./roots.ts";
import { type Settings, settingsSchema } from "./settings.ts";

/** Where settings come from; relative paths of flags are relative to `cwd`, those in the file to the file. */
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

/**
 * The settings from file, environment and flags, with defaults. Throws a ResearchError `invalid_config` that names each
 * bad value. Without roots the root is `cwd`, and there is none where that is the home directory.
 */
export function loadSettings(sources: SettingsSources): Settings {
  const { env, cwd } = sources;
  const file = sources.file ?? env.MCP_RESEARCH_CONFIG;
  const base = file === undefined || file === "" ? {} : readConfig(resolve(cwd, file));
  const { given, variableOf } = withEnvironment(base, env);
  if (sources.roots.length > 0) given.roots = sources.roots.map((root) => toDirectory(resolve(cwd, root)));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const words = parsed.error.issues.map((issue) => {
      const keys = issue.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")}` : "";
      const place = issue.path.join(".");
      const name = variableOf.get(place) ?? (place || "settings");
      return `${name}=${JSON.stringify(valueAt(given, issue.path))}: ${issue.message}${keys}`;
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
  // Clients may start in the home directory, which is no project.
  const usable = none && resolveRoot(cwd) === resolveRoot(homeOf(env)) ? [] : roots;
  return { ...settings, roots: [...usable] };
}

/** A root in a file or a variable may be missing for now; a missing --root is a mistake, and is refused. */
function toDirectory(root: string): string {
  let isDirectory = false;
  try {
    isDirectory = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    const code = systemCodeOf(error);
    const why = code === undefined ? "" : ` (${code})`;
    throw new ResearchError("invalid_config", `--root=${JSON.stringify(root)}: cannot be looked at${why}`);
  }
  if (!isDirectory) throw new ResearchError("invalid_config", `--root=${JSON.stringify(root)}: no such directory`);
  return root;
}

function readConfig(path: string): Record<string, unknown> {
  const text = readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: not JSON`);
  }
  if (!isRecord(value))
    throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: expected an object`);
  const from = (dir: unknown): unknown =>
    typeof dir === "string" && !isAbsolute(dir) ? resolve(dirname(path), dir) : dir;
  const inside = (name: string): object => {
    const group = value[name];
    return isRecord(group) && group.dir !== undefined ? { [name]: { ...group, dir: from(group.dir) } } : {};
  };
  return {
    ...value,
    ...(Array.isArray(value.roots) ? { roots: value.roots.map(from) } : {}),
    ...(value.thoughts === undefined ? {} : { thoughts: from(value.thoughts) }),
    ...inside("artifacts"),
    ...inside("index"),
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCodeOf(error);
    const why = code === undefined ? "cannot be read" : (READ_FAULTS[code] ?? `cannot be read (${code})`);
    throw new ResearchError("invalid_config", `--config=${JSON.stringify(path)}: ${why}`);
  }
}

const READ_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: "is a directory",
  EACCES: "you may not read it",
};

interface WithEnvironment {
  readonly given: Record<string, unknown>;
  /** Place in the settings → the variable that it was taken from: so that the error for a bad value names the variable. */
  readonly variableOf: ReadonlyMap<string, string>;
}

function withEnvironment(base: Record<string, unknown>, env: NodeJS.ProcessEnv): WithEnvironment {
  const given: Record<string, unknown> = { ...base };
  const variableOf = new Map<string, string>();
  const set = (variable: string, [group, field]: readonly [string, string], to: (text: string) => unknown): void => {
    const text = env[variable]?.trim() ?? "";
    if (text === "") return;
    const before = given[group];
    given[group] = { ...(isRecord(before) ? before : {}), [field]: to(text) };
    variableOf.set(`${group}.${field}`, variable);
  };
  const roots = (env.MCP_RESEARCH_ROOTS ?? "").split(delimiter).filter((root) => root !== "");
  if (roots.length > 0) given.roots = roots;
  for (const [variable, place] of Object.entries(NUMBERS))
    set(variable, place, (text) => (/^-?\d+$/.test(text) ? Number(text) : text));
  set("MCP_RESEARCH_LOG_LEVEL", ["logging", "level"], (text) => text);
  set("MCP_RESEARCH_ARTIFACTS", ["artifacts", "dir"], (text) => text);
  set("MCP_RESEARCH_INDEX", ["index", "enabled"], toBoolean);
  set("LM_STUDIO_URL", ["provider", "url"], (text) =>
    /\/v\d+\/?$/.test(text) ? text : `${text.replace(/\/+$/, "")}/v1`,
  );
  // Without a server the name of its model has no use.
  const { provider } = given;
  if (isRecord(provider) && provider.url !== undefined) {
    set("LM_STUDIO_MODEL", ["provider", "model"], (text) => text);
  }
  return { given, variableOf };
}

/** X-13's words for yes, and their opposites; anything else stays a string, which the schema then refuses. */
function toBoolean(text: string): unknown {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  return /^(?:0|false|no|off)$/i.test(text) ? false : text;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let at = given;
  for (const key of path) at = isRecord(at) ? at[String(key)] : Array.isArray(at) ? at[Number(key)] : undefined;
  return at;
}
