// What a client's settings say of ours: the server that they start, the launcher of its commands, the hook that is a
// command and the plugin file, as the client reads it.
import { CLIENTS, isRecord } from "@jeeves/base";
import { HOOK_TOOL } from "@jeeves/intercept";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { isOwnPlugin } from "../init/opencode.ts";
import { SERVER_NAME } from "../init/what-to-set-up.ts";

/** Our server, as the settings start it. */
export interface WrittenServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Our entries in a client's settings. What is absent is not set up. */
export interface WrittenEntries {
  readonly server?: WrittenServer;
  /** The program before every command. */
  readonly prefix?: string;
  /** The command that gets results on stdin. */
  readonly hook?: string;
  /** Whether the client is to ask that server at its own tools. */
  readonly asksServer: boolean;
  /** The text of our plugin file. */
  readonly plugin?: string;
  /** What the client sets for its commands, or for the hook. */
  readonly env: Readonly<Record<string, string>>;
}

/** A settings file: its path and its text. */
export type SettingsText = readonly [path: string, text: string];

/** Of settings files in the order in which a client reads them: a later one wins. `project`: whose own entries count. */
export function writtenEntries(files: readonly SettingsText[], project = ""): WrittenEntries {
  const all = files.map(([path, text]) => settingsIn(path, text));
  const server = all
    .map((settings) => serverIn(entriesOfProject(settings, project)) ?? serverIn(settings))
    .findLast((found) => found !== undefined);
  const hook = all.map(hookIn).find((found) => found !== undefined);
  const env: Record<string, string> = Object.assign({}, ...all.map(({ env }) => textsIn(env)), hook?.env);
  const prefix = CLIENTS.map(({ shellPrefix }) => env[shellPrefix ?? ""]).find((path) =>
    path?.endsWith("/jeeves-exec"),
  );
  const plugin = files.map(([, text]) => text).find(isOwnPlugin);
  return {
    env,
    asksServer: all.some(({ hooks }) => JSON.stringify(hooks ?? {}).includes(HOOK_TOOL)),
    ...(server === undefined ? {} : { server }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(hook === undefined ? {} : { hook: hook.command }),
    ...(plugin === undefined ? {} : { plugin }),
  };
}

function settingsIn(path: string, text: string): Record<string, unknown> {
  const value: unknown = path.endsWith(".toml") ? parse(text.replace(/^\uFEFF/, "")) : parseJsonc(text);
  return isRecord(value) ? value : {};
}

/** Claude Code has servers of one project among its entries. */
function entriesOfProject({ projects }: Record<string, unknown>, project: string): Record<string, unknown> {
  const found = isRecord(projects) && project !== "" ? projects[project] : undefined;
  return isRecord(found) ? found : {};
}

function serverIn(settings: Record<string, unknown>): WrittenServer | undefined {
  for (const key of ["mcpServers", "mcp", "mcp_servers"]) {
    const servers = settings[key];
    const found = isRecord(servers) ? servers[SERVER_NAME] : undefined;
    if (!isRecord(found)) continue;
    const [command = "", ...args] = [found.command, found.args].flat().filter((word) => typeof word === "string");
    return { command, args, env: textsIn(found.env ?? found.environment) };
  }
  return undefined;
}

/** The hook's own command, and the variables that it is run with. */
function hookIn({ hooks }: Record<string, unknown>) {
  const groups: unknown[] = isRecord(hooks) && Array.isArray(hooks.AfterTool) ? hooks.AfterTool : [];
  const all: unknown[] = groups.flatMap((group) => (isRecord(group) && Array.isArray(group.hooks) ? group.hooks : []));
  const ours = all.find((hook) => isRecord(hook) && hook.name === SERVER_NAME);
  if (!isRecord(ours) || typeof ours.command !== "string") return undefined;
  return { command: ours.command, env: textsIn(ours.env) };
}

function textsIn(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : [])),
  );
}
