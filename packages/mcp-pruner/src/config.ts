// Everything that mcp-pruner reads from its environment, described once. Agents start it unseen, so a bad value is
// the default plus a warning; only a root that cannot be used stops it.
import * as z from "zod";
import { DEFAULT_PRUNER_URL } from "./pruner.ts";

export const TOOL_NAMES = ["read", "bash", "grep", "recover_text"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

export const configSchema = z.object({
  MCP_PRUNER_CWD: z.string().optional().describe("root of every path and command; default: the current directory"),
  PRUNER_ENGINE: z.enum(["auto", "embedded", "remote"]).default("auto").describe("which engine prunes"),
  PRUNER_URL: z.string().default(DEFAULT_PRUNER_URL).describe("a swe-pruner's full URL; empty turns pruning off"),
  PRUNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).default(30_000).describe("wait for a remote pruner"),
  JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .max(2_097_152)
    .optional()
    .describe("larger texts are not sent to a remote pruner"),
  MCP_PRUNER_TOOLS: list
    .pipe(z.array(z.enum(TOOL_NAMES)).min(1))
    .default([...TOOL_NAMES])
    .describe("the tools to offer, separated by commas"),
  MCP_PRUNER_DENY: list.default([]).describe("globs that read and grep refuse, separated by commas"),
});

export type Config = z.infer<typeof configSchema>;

/** kept as it is, so that each call can say what became of it, but warned about once. */
export function isUsablePrunerUrl(url: string): boolean {
  return url === "" || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
}
