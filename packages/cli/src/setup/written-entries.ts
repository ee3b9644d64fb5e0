// What a client's settings say of ours: the server that they start, the launcher of its commands, the hook that is a
// command and the plugin file, as the client reads it.
import { CLIENTS, isRecord } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { isOwnPlugin } from "../init/opencode.ts";
import { SERVER_NAME } from "../init/what-to-set-up.ts";

export interface WrittenServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface WrittenEntries {
  readonly server?: WrittenServer;
  /** The program before every command. */
  readonly prefix?: string;
  /** The command that gets results on stdin. */
  readonly hook?: string;
  /** The text of our plugin file. */
  readonly plugin?: string;
  /** What the client sets for its commands. */
  readonly env: Readonly<Record<string, string>>;
}

/** Of settings files, as path and text. */
export function writtenEntries(files: readonly (readonly [path: string, text: string])[]): WrittenEntries {
  const all = files.map(([path, text]) => settingsIn(path, text));
  const server = all.map(serverIn).find((found) => found !== undefined);
  const env = Object.assign({}, ...all.map((settings) => textsIn(settings.env))) as Record<string, string>;
  const prefix = CLIENTS.map(({ shellPrefix }) => env[shellPrefix ?? ""]).find((path) =>
    path?.endsWith("/jeeves-exec"),
  );
  const hook = all.map(hookIn).find((found) => found !== undefined);
  const plugin = files.map(([, text]) => text).find(isOwnPlugin);
  return {
    env,
    ...(server === undefined ? {} : { server }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(hook === undefined ? {} : { hook }),
    ...(plugin === undefined ? {} : { plugin }),
  };
}

function settingsIn(path: string, text: string): Record<string, unknown> {
  const value: unknown = path.endsWith(".toml") ? parse(text.replace(/^\uFEFF/, "")) : parseJsonc(text);
  return isRecord(value) ? value : {};
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

function hookIn({ hooks }: Record<string, unknown>): string | undefined {
  const groups: unknown[] = isRecord(hooks) && Array.isArray(hooks.AfterTool) ? hooks.AfterTool : [];
  const all: unknown[] = groups.flatMap((group) => (isRecord(group) && Array.isArray(group.hooks) ? group.hooks : []));
  const ours = all.find((hook) => isRecord(hook) && hook.name === SERVER_NAME);
  return isRecord(ours) && typeof ours.command === "string" ? ours.command : undefined;
}

function textsIn(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : [])),
  );
}
