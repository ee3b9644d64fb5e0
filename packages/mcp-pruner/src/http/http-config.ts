// Everything that jeeves-mcp-pruner reads: its flags, the draft's variables (D-08 … D-11, X-15) and those that it shares
// with mcp-pruner. It is started by hand, so a bad value stops it and is named by the draft's code.
import { portField } from "@jeeves/kit/config";
import { bearerToken, isLoopbackHost } from "@jeeves/kit/http";
import * as z from "zod";
import { ambientSchema, type Config, configSchema, isUsablePrunerUrl } from "../config.ts";
import { DEFAULT_PRUNER_URL } from "../pruner.ts";

/** X-09 and D-11: above this size nothing is sent to a remote pruner. */
const DEFAULT_MAX_PRUNE_INPUT_BYTES = 262_144;
const DEFAULT_TIMEOUT_MS = 2_000;

const host = z.string().min(1);
const url = z.string().refine((text) => text !== "" && isUsablePrunerUrl(text), "an absolute http(s) URL");

const shared = configSchema.shape;

// A flag has a field of its own: --host may name more than its variable may.
const fields = z.object({
  "--host": host.optional().describe("address; beyond loopback JEEVES_TOKEN is needed"),
  "--port": portField.optional().describe("0: any free port"),
  "--root": z.string().min(1).optional().describe("root of every path and command; default: the current directory"),
  "--log-format": z.enum(["json", "text"]).default("json").describe("how events are written to stderr"),
  JEEVES_MCP_PRUNER_HOST: z.enum(["127.0.0.1", "::1"]).default("127.0.0.1").describe("address"),
  JEEVES_MCP_PRUNER_PORT: portField.default(0).describe("0: any free port"),
  JEEVES_MCP_PRUNER_ROOT_DIR: z.string().min(1).optional().describe("root of every path and command"),
  JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .max(2_097_152)
    .default(DEFAULT_MAX_PRUNE_INPUT_BYTES)
    .describe("larger texts are not sent to a remote pruner"),
  PRUNER_ENGINE: shared.PRUNER_ENGINE,
  PRUNER_URL: z
    .string()
    .refine(isUsablePrunerUrl, "an http(s) URL, or empty")
    .optional()
    .describe("a swe-pruner's full URL; empty turns pruning off"),
  PRUNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).optional().describe("wait for a remote pruner"),
  JEEVES_PRUNER_ENDPOINT: url.optional().describe("the same as PRUNER_URL, where that is not set"),
  JEEVES_PRUNER_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(30_000)
    .default(DEFAULT_TIMEOUT_MS)
    .describe("the same as PRUNER_TIMEOUT_MS, where that is not set"),
  MCP_PRUNER_TOOLS: shared.MCP_PRUNER_TOOLS,
  MCP_PRUNER_DENY: shared.MCP_PRUNER_DENY,
  JEEVES_TOKEN: bearerToken,
  ...ambientSchema.shape,
});

/** The flags and environment of jeeves-mcp-pruner. A host beyond loopback is refused unless JEEVES_TOKEN is set. */
export const httpConfigSchema = fields.superRefine((config, context) => {
  const asked = config["--host"];
  if (asked === undefined || isLoopbackHost(asked) || config.JEEVES_TOKEN !== undefined) return;
  const message = "a loopback address, or JEEVES_TOKEN beside it";
  context.addIssue({ code: "custom", path: ["--host"], message });
});

/** What was parsed. Flags have fields of their own, such as `--port`, and win over the variables of the same setting. */
export type HttpConfig = z.infer<typeof httpConfigSchema>;

/** Each command-line flag, without its dashes, and the field that it sets. */
export const HTTP_FLAGS = { host: "--host", port: "--port", root: "--root", "log-format": "--log-format" } as const;

/** The codes that the draft gives to invalid settings. */
const CODES: Readonly<Record<string, string>> = {
  "--host": "invalid_host",
  "--port": "invalid_port",
  "--root": "invalid_root_dir",
  JEEVES_MCP_PRUNER_HOST: "invalid_host",
  JEEVES_MCP_PRUNER_PORT: "invalid_port",
  JEEVES_MCP_PRUNER_ROOT_DIR: "invalid_root_dir",
  JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: "invalid_max_prune_input_bytes",
  PRUNER_URL: "invalid_pruner_endpoint",
  JEEVES_PRUNER_ENDPOINT: "invalid_pruner_endpoint",
  PRUNER_TIMEOUT_MS: "invalid_timeout_ms",
  JEEVES_PRUNER_TIMEOUT_MS: "invalid_timeout_ms",
};

/** The code of an issue, by the setting's name; `invalid_config` for settings that the draft does not know. */
export function codeOf(name: string): string {
  return CODES[name] ?? "invalid_config";
}

/** The settings of the tools, as mcp-pruner has them: PRUNER_URL and PRUNER_TIMEOUT_MS win over the draft's variables. */
export function toToolConfig(config: HttpConfig): Config {
  return {
    MCP_PRUNER_CWD: undefined,
    PRUNER_ENGINE: config.PRUNER_ENGINE,
    PRUNER_URL: config.PRUNER_URL ?? config.JEEVES_PRUNER_ENDPOINT ?? DEFAULT_PRUNER_URL,
    PRUNER_TIMEOUT_MS: config.PRUNER_TIMEOUT_MS ?? config.JEEVES_PRUNER_TIMEOUT_MS,
    JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: config.JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES,
    MCP_PRUNER_TOOLS: config.MCP_PRUNER_TOOLS,
    MCP_PRUNER_DENY: config.MCP_PRUNER_DENY,
  };
}
