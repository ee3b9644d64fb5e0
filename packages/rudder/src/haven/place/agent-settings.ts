// The `agent:` part of a project's `.sailing/config.yaml`: how its sandboxed agents reach the haven.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { parse } from "yaml";
import { RudderError } from "../../rudder-error.ts";

const MCP_COMMANDS = ["bridge", "socat"] as const;

/** What an agent's MCP configuration starts: our own bridge, or socat as in R-30. */
export type McpCommand = (typeof MCP_COMMANDS)[number];

/** `agent.mcp_command`; the bridge where nothing is said. */
export function readMcpCommand(project: string): McpCommand {
  const path = join(project, ".sailing", "config.yaml");
  const settings = readYaml(path);
  const agent = isRecord(settings) && isRecord(settings.agent) ? settings.agent : {};
  const given = agent.mcp_command ?? "bridge";
  const known = MCP_COMMANDS.find((name) => name === given);
  if (known !== undefined) return known;
  throw new RudderError("invalid_argument", `agent.mcp_command in ${path} is ${JSON.stringify(given)}`, {
    hint: `one of ${MCP_COMMANDS.join(", ")}; bridge is the default`,
    details: { path },
  });
}

/** Undefined for a file that is missing or broken: then nothing is set. */
function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, "utf8"), { maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}
