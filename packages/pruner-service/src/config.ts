// Everything that jeeves-pruner reads from its environment and its flags, described once (K-42). A bad value stops it.
import { countField, portField } from "@jeeves/kit/config";
import { bearerToken, isLoopbackHost } from "@jeeves/kit/http";
import * as z from "zod";

const DEFAULT_PORT = 8006;
const DEFAULT_MAX_INPUT_CHARS = 2_000_000;
// The longest body that goes with it (maxBodyBytesFor), and the answer to it, are still a string for Node.
const MAX_INPUT_CHARS = 67_000_000;
const DEFAULT_TTL_S = 1_209_600; // 14 days

const fields = z.object({
  MCP_PRUNER_HOST: z.string().min(1).default("127.0.0.1").describe("address; beyond loopback JEEVES_TOKEN is needed"),
  MCP_PRUNER_PORT: portField.default(DEFAULT_PORT).describe("0: any free port"),
  MCP_PRUNER_MAX_INPUT_CHARS: countField({ max: MAX_INPUT_CHARS })
    .default(DEFAULT_MAX_INPUT_CHARS)
    .describe("longer texts come back whole"),
  MCP_PRUNER_PRUNE_ID_TTL_S: countField()
    .default(DEFAULT_TTL_S)
    .describe("how long a cut text can be recovered, in seconds"),
  JEEVES_TOKEN: bearerToken,
  JEEVES_STATE_DIR: z.string().optional().describe("where cut texts are kept; else below XDG_STATE_HOME"),
  JEEVES_DATABASE_URL: z
    .string()
    .optional()
    .describe("a PostgreSQL where a team shares cut texts; else this machine alone"),
  JEEVES_STORE_MAX_BYTES: countField().optional().describe("how much is kept there, oldest out first; else 1 GiB"),
  JEEVES_EVENT_LOG: z.string().optional().describe("a file for the events, beside stderr"),
  JEEVES_LOG_FORMAT: z.enum(["json", "text"]).default("json").describe("how events are written to stderr"),
});

/**
 * The environment of jeeves-pruner, with its defaults. An address beyond loopback is refused unless JEEVES_TOKEN is set.
 */
export const configSchema = fields.superRefine((config, context) => {
  if (isLoopbackHost(config.MCP_PRUNER_HOST) || config.JEEVES_TOKEN !== undefined) return;
  const message = "a loopback address, or JEEVES_TOKEN beside it";
  context.addIssue({ code: "custom", path: ["MCP_PRUNER_HOST"], message });
});

/** Each command-line flag, without its dashes, and the variable that it overrides. */
export const CONFIG_FLAGS = {
  host: "MCP_PRUNER_HOST",
  port: "MCP_PRUNER_PORT",
  "max-input-chars": "MCP_PRUNER_MAX_INPUT_CHARS",
  "prune-id-ttl-s": "MCP_PRUNER_PRUNE_ID_TTL_S",
  "log-format": "JEEVES_LOG_FORMAT",
} as const;

/** The settings after parsing: sizes in characters or bytes, `MCP_PRUNER_PRUNE_ID_TTL_S` in seconds. */
export type Config = z.infer<typeof configSchema>;
