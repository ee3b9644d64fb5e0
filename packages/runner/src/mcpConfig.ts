// J-83 … J-88: whether the pruner is injected into a run, and the record that starts it. The runner's environment alone
// decides (J-91); what the server gets beyond this record is added in runner.ts.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { findBeside } from "@jeeves/base";
import { parseBooleanEnv } from "@jeeves/kit/config";
import type { McpServerConfig } from "./provider.ts";

/** The address of the pruner where none is named. */
export const DEFAULT_PRUNER_URL = "http://localhost:8000/prune";

/** The servers that an agent gets, or why it gets none. */
export type McpConfig =
  | { readonly kind: "enabled"; readonly mcpServers: { readonly pruner: McpServerConfig } }
  | { readonly kind: "disabled" }
  | { readonly kind: "invalid"; readonly issue: McpConfigIssue };

/** A variable with a bad value, and what would be right. */
export interface McpConfigIssue {
  readonly name: string;
  readonly value: string;
  readonly expected: string;
}

interface McpConfigInput {
  readonly env: NodeJS.ProcessEnv;
  /** The run's own directory. */
  readonly cwd: string;
  /** Where the search for the server's entry starts; this module, unless a test names another place. */
  readonly from?: string;
}

/** The pruner's entry in an agent's MCP settings, from the environment. */
export function buildMcpConfig({ env, cwd, from = import.meta.url }: McpConfigInput): McpConfig {
  if (!parseBooleanEnv(env.JEEVES_PRUNER_ENABLED)) return { kind: "disabled" };

  const url = env.JEEVES_PRUNER_URL ?? DEFAULT_PRUNER_URL;
  if (url !== "" && !isHttpUrl(url)) {
    const expected = "an absolute http: or https: URL, or empty";
    return { kind: "invalid", issue: { name: "JEEVES_PRUNER_URL", value: url, expected } };
  }
  const named = env.JEEVES_MCP_PRUNER_PATH;
  const entry = named === undefined || named === "" ? findPrunerEntry(from) : toFile(resolve(named));
  if (entry === undefined) {
    const expected = "the file of mcp-pruner's entry (dist/index.js; `npm run build` makes it)";
    return { kind: "invalid", issue: { name: "JEEVES_MCP_PRUNER_PATH", value: named ?? "", expected } };
  }
  const pruner = { command: "node", args: [entry], env: { PRUNER_URL: url, MCP_PRUNER_CWD: cwd } };
  return { kind: "enabled", mcpServers: { pruner } };
}

/** J-86: the installed package, then the one beside this in the same installation. */
function findPrunerEntry(from: string): string | undefined {
  const require = createRequire(from);
  try {
    const installed = toFile(require.resolve("@jeeves/mcp-pruner/dist/index.js"));
    if (installed !== undefined) return installed;
  } catch {
    // Not resolvable from here: the workspace's layout may still hold.
  }
  return findBeside("mcp-pruner/dist/index.js", from);
}

function toFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined; // missing, or not readable
  }
}

/** `http://` or `https://` is required: `http:localhost` parses as a URL too, but is surely a mistake. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
