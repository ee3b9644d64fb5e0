// Everything that mcp-pruner reads from its environment, described once. Agents start it where no user reads its output,
// so a bad value is the default plus a warning; only a root that cannot be used stops it.
import { CLIENTS } from "@jeeves/base";
import * as z from "zod";
import { DEFAULT_PRUNER_URL } from "./pruner.ts";

/** The listed tools, in the order in which `tools/list` has them. */
const TOOL_NAMES = ["read", "bash", "grep", "recover_text"] as const;
/** The value for a server that lists no tools and answers hooks alone. */
const NO_TOOLS = "none";
/** The name of a listed tool; `jeeves_hook` is not among them. */
export type ToolName = (typeof TOOL_NAMES)[number];

const list = z.string().transform(itemsOf);

/** Case and surrounding blanks do not matter, and an empty value counts as unset, as where the value is used. */
const word = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.trim().toLowerCase() : value) || undefined,
    schema.optional(),
  );

/** Read from the environment where they are used; listed here, so that an invalid value causes a warning. */
export const ambientSchema = z.object({
  JEEVES_RESULT_FORM: word(z.enum(["auto", "both", "text"])).describe("the form of a result; auto: by client"),
  JEEVES_MAX_RESULT_CHARS: word(z.coerce.number().int().min(1)).describe("what the client displays of one result"),
  JEEVES_STORE_MAX_BYTES: word(z.coerce.number().int().min(1)).describe("room for cut texts; the oldest go first"),
  JEEVES_STATE_WAIT_MS: word(z.coerce.number().int().min(1)).describe(
    "what an answer waits at most for that directory",
  ),
  JEEVES_MODE: word(z.enum(["on", "shadow", "off"])).describe("whether cuts are shown, only counted, or not made"),
  JEEVES_HOOKS: word(z.enum(["on", "off", "runner"])).describe(
    "what answers clients' hooks: this server, nothing, jeeves run",
  ),
  JEEVES_PLUGIN: word(z.enum(CLIENTS.map(({ id }) => id))).describe(
    "the client whose plugin started this server: it finds jeeves-exec and the client's rules itself",
  ),
});

/** The environment of mcp-pruner, with its defaults. Parse it with `parseConfigLeniently`: a bad value is its default. */
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
    .pipe(z.array(z.enum([...TOOL_NAMES, NO_TOOLS])).min(1))
    .transform((names) => names.filter((name) => name !== NO_TOOLS))
    .default([...TOOL_NAMES])
    .describe("the tools to offer, separated by commas; none: only hooks are answered"),
  MCP_PRUNER_DENY: z
    .string()
    .transform(globsOf)
    .default([])
    .describe("globs that read and grep refuse, separated by commas"),
});

/** The settings of the tools; times in milliseconds, sizes in bytes. An empty `PRUNER_URL` turns pruning off. */
export type Config = z.infer<typeof configSchema>;

/**
 * The tools to offer where MCP_PRUNER_TOOLS is invalid: all of them, but `bash` only where the list names it or is
 * empty. A typo in a list without `bash` must not enable it.
 */
export function toolsFromInvalidList(badList: string): ToolName[] {
  const named = itemsOf(badList);
  return TOOL_NAMES.filter((tool) => tool !== "bash" || named.length === 0 || named.includes(tool));
}

function itemsOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Commas inside braces belong to their glob, and so do escaped ones; where braces do not close, every comma separates. */
function globsOf(text: string): string[] {
  const globs = [""];
  let depth = 0;
  for (const [piece] of text.matchAll(/\\.|./gsu)) {
    if (piece === "{") depth++;
    if (piece === "}") depth = Math.max(0, depth - 1);
    if (piece === "," && depth === 0) globs.push("");
    else globs.push(`${globs.pop()}${piece}`);
  }
  return depth > 0 ? itemsOf(text) : globs.map((glob) => glob.trim()).filter((glob) => glob !== "");
}

/** Whether a URL is http(s), or empty. Another is kept all the same: one warning, and an error with each call. */
export function isUsablePrunerUrl(url: string): boolean {
  return url === "" || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
}
