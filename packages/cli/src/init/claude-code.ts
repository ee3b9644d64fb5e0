// Claude Code: the server in .claude.json, for the user or among the entries of one project; hooks, permissions and the
// shell prefix in settings.json, of a project in its local settings. Neither is a file that a project shares.
import { join } from "node:path";
import { clientHomeFileOf, clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { CLAUDE_MATCHERS, HOOK_TOOL, toHookCall } from "@jeeves/intercept";
import { resolveStateDir } from "@jeeves/state";
import { claudeProjectOf } from "./claude-project.ts";
import { dropFrom, dropHooks, type Json, jsonChange, listAt, objectAt } from "./json-settings.ts";
import { addServer, removeServer, startsOwnFile } from "./own-server.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv, toolsOf } from "./what-to-set-up.ts";

const CLIENT = traitsOf("claude-code");
const { shellPrefix: PREFIX = "", localSettings = "" } = CLIENT;
const MODE = "JEEVES_MODE";
const SHADOW = "shadow";
/** Tells jeeves-exec that the client's own Read is the way back. */
const RECOVERY = "JEEVES_RECOVERY";
const BY_FILE = "file";
const STATE = "JEEVES_STATE_DIR";

/** The settings files of Claude Code for this scope, and how they change. */
export function claudeCodeChanges(setUp: SetUp): SettingsChange[] {
  const { scope, cwd, home, env } = setUp;
  const where = { ...env, HOME: home };
  const servers = clientHomeFileOf(CLIENT, where) ?? "";
  const settings = scope === "project" ? join(cwd, localSettings) : join(clientHomeOf(CLIENT, where), "settings.json");
  // The plugin has the server and the hooks, but cannot set the prefix.
  if (setUp.parts === "commands") return [settingsChange(settings, setUp)];
  if (scope === "user") return [serverChange(servers, setUp), settingsChange(settings, setUp)];
  // Earlier versions wrote the server into the file that a project shares.
  const { path, remove } = serverChange(join(cwd, ".mcp.json"), setUp);
  const entries = entriesOf(claudeProjectOf(cwd));
  return [serverChange(servers, setUp, entries), { path, remove }, settingsChange(settings, setUp)];
}

/** Where in a file our server is: at the top, or in the entries of a project. */
interface Entries {
  /** undefined where the settings have none, and are not to get any. */
  readonly find: (settings: Json) => Json | undefined;
  readonly make: (settings: Json) => Json;
}

const TOP: Entries = { find: (settings) => settings, make: (settings) => settings };

function entriesOf(project: string): Entries {
  return {
    find({ projects }) {
      const found = isRecord(projects) ? projects[project] : undefined;
      return isRecord(found) ? found : undefined;
    },
    make: (settings) => objectAt(objectAt(settings, "projects"), project),
  };
}

function serverChange(path: string, setUp: SetUp, entries = TOP): SettingsChange {
  const place = { path, key: "mcpServers", name: SERVER_NAME };
  const env = serverEnv(setUp, listedTools(setUp));
  const server = { type: "stdio", command: setUp.serverPath, args: [], env };
  const change = jsonChange(path, {
    reader: CLIENT,
    what: listedTools(setUp).length === 0 ? "our server, which answers the hooks" : "our server and its tools",
    add: (settings, before) =>
      addServer(entries.make(settings), { ...place, before: entries.find(before) ?? {} }, server),
    remove(settings) {
      const found = entries.find(settings);
      if (found !== undefined) removeServer(found, place);
    },
  });
  return { ...change, holdsMore: (content) => startsOwnFile(SERVER_NAME, content) };
}

/** Takes our server out of the entries of every project. */
export function removeFromProjects({ projects }: Json): void {
  for (const entries of isRecord(projects) ? Object.values(projects) : [])
    if (isRecord(entries)) removeServer(entries, { key: "mcpServers", name: SERVER_NAME });
}

/** One settings.json: hooks, permissions, shell prefix and variables. `add` warns where a value of the user's stays. */
export function settingsChange(path: string, setUp: SetUp): SettingsChange {
  return jsonChange(path, {
    reader: CLIENT,
    what: setUp.parts === "tools" ? "permission for our tools" : "hooks for Read and Grep, a launcher for commands",
    add(settings) {
      const allowed = permissions(setUp);
      if (allowed.length > 0) listAt(objectAt(settings, "permissions"), "allow").push(...allowed);
      if (setUp.parts === "tools") return;
      if (setUp.parts !== "commands") addHooks(settings, setUp);
      const env = objectAt(settings, "env");
      // Another tool's shell prefix stays, whichever settings name it: a client takes only one.
      if (!canBePrefix(setUp.execPath)) setUp.warn(`commands are not cut: ${PREFIX} cannot name ${setUp.execPath}`);
      else if (setUp.isPrefixTaken !== true) env[PREFIX] ??= setUp.execPath;
      if (env[PREFIX] && env[PREFIX] !== setUp.execPath)
        setUp.warn(`${path} has a ${PREFIX} of its own, which stays: commands are not cut`);
      if (listedTools(setUp).length === 0) env[RECOVERY] ??= BY_FILE;
      // As in the server's environment, so that commands and hooks have one store and one meter.
      if (setUp.env[STATE]) env[STATE] ??= setUp.env[STATE];
      if (!setUp.shadow) return;
      env[MODE] ??= SHADOW;
      if (env[MODE] !== SHADOW) setUp.warn(`${path} has a ${MODE} of its own, which stays: ${String(env[MODE])}`);
    },
    remove(settings) {
      removePermissions(settings, setUp);
      dropFrom(settings, "enabledMcpjsonServers", (name) => name === SERVER_NAME);
      removeHooks(settings);
      const { env } = settings;
      if (!isRecord(env)) return;
      if (String(env[PREFIX] ?? "").endsWith("/jeeves-exec")) delete env[PREFIX];
      // Whichever tool has the prefix: only init writes this word, and what else is there is the user's.
      if (env[MODE] === SHADOW) delete env[MODE];
      if (env[RECOVERY] === BY_FILE) delete env[RECOVERY];
      if (setUp.env[STATE] && env[STATE] === setUp.env[STATE]) delete env[STATE];
    },
  });
}

function addHooks(settings: Json, { execPath }: SetUp): void {
  const hooks = objectAt(settings, "hooks");
  const how = { server: SERVER_NAME, execPath };
  for (const moment of ["PreToolUse", "PostToolUse"] as const)
    listAt(hooks, moment).push({ matcher: CLAUDE_MATCHERS[moment], hooks: [toHookCall(moment, how)] });
}

/** Claude Code takes what follows the last " -" for options of the prefix. */
function canBePrefix(path: string): boolean {
  return !path.includes(" -");
}

/**
 * With hooks none: the client's own Read recovers everything, and a listed tool would cost tokens in every prompt, also
 * in sessions in which nothing is cut.
 */
function listedTools(setUp: SetUp): readonly string[] {
  return setUp.parts === "hooks" || setUp.parts === "commands" ? [] : toolsOf(setUp);
}

function permissions(setUp: SetUp): string[] {
  return listedTools(setUp).map((tool) => `mcp__${SERVER_NAME}__${tool}`);
}

/** Earlier versions allowed every session to read the whole store; now the hook decides for each file. */
function isStorePermission(rule: unknown, setUp: SetUp): boolean {
  const text = String(rule);
  const store = join(resolveStateDir(setUp.env), "store");
  return text === `Read(/${store}/**)` || /^Read\(\/\/.*\/jeeves\/store\/\*\*\)$/.test(text);
}

function removePermissions(settings: Json, setUp: SetUp): void {
  if (!isRecord(settings.permissions)) return;
  const ours = permissions({ ...setUp, parts: "both" });
  dropFrom(settings.permissions, "allow", (rule) => ours.includes(String(rule)) || isStorePermission(rule, setUp));
}

/** Takes our hooks out of settings in the form of Claude Code, which Codex' hooks.json has as well. */
export function removeHooks(settings: Json): void {
  const { hooks } = settings;
  if (!isRecord(hooks)) return;
  dropHooks(hooks, (hook) => hook.server === SERVER_NAME && hook.tool === HOOK_TOOL);
}
