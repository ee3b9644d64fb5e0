// The entry with which an MCP client reaches a haven's server, named rudder, in the forms that the
// contract fixes. Writes nothing.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Place } from "../haven/locate.ts";
import type { McpCommand } from "../haven/place/agent-settings.ts";
import { builtFile } from "./built-file.ts";

export interface McpConfig {
  readonly mcpServers: {
    readonly rudder: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    };
  };
}

/** Our own bridge, which finds its way back to a server that was restarted; or socat, in exactly R-30's form. */
export function socketConfig(socketPath: string, command: McpCommand): McpConfig {
  if (command === "socat") return config("socat", ["-", `UNIX-CONNECT:${toSocatPath(socketPath)}`]);
  return config("node", [builtFile("rudder-bridge.js"), socketPath]);
}

/** In an address, socat reads commas, colons, quotes and brackets as its own. */
function toSocatPath(path: string): string {
  return path.replace(/[\\,:!"'()[\]{}]/g, (character) => `\\${character}`);
}

/** A server of the client's own on stdio. */
export function internalConfig(place: Place, env: NodeJS.ProcessEnv): McpConfig {
  const named = env.RUDDER_HAVEN === undefined || env.RUDDER_HAVEN === "" ? {} : { RUDDER_HAVEN: place.haven };
  return config("node", [serverEntry(), "--project-root", place.project], named);
}

function config(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): McpConfig {
  return { mcpServers: { rudder: { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) } } };
}

/** In a clone, the entry that people know; else the built one. */
function serverEntry(): string {
  const built = builtFile("rudder-server.js");
  const known = resolve(dirname(built), "../../../mcp/rudder-server.js");
  return existsSync(known) ? known : built;
}
