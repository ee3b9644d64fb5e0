// `agents/T042/mcp-config.json`: how the agent reaches the haven, in exactly R-30's or R-31's form. mcp/mcp-config.ts
// makes the form; here the file is written, and read again when the agent is launched.
import * as z from "zod";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { RudderError } from "../../rudder-error.ts";

const configSchema = z.strictObject({
  mcpServers: z.strictObject({ rudder: z.strictObject({ command: z.string(), args: z.array(z.string()) }) }),
});
export type McpConfigFile = z.infer<typeof configSchema>;

/** The text of the file; throws for a value of another form. */
export function toConfigText(config: unknown): string {
  return `${JSON.stringify(configSchema.parse(config), null, 2)}\n`;
}

/** Throws `broken_state` where the file is missing or has another form. */
export function readMcpConfig(path: string): McpConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(readIfThere(path) ?? "");
  } catch {
    value = undefined;
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RudderError("broken_state", `${path} is no MCP configuration of ours`, {
    hint: "spawn the agent again: that writes a new one",
    details: { path },
  });
}
