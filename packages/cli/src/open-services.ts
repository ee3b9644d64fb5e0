// The services of one project, ready to be mounted on an HTTP server: the text pruner and the tools for agents. Flags
// win over the environment; a bad value is named and nothing is opened.
import { type ConfigIssue, parseConfig, toConfigMessage } from "@jeeves/kit/config";
import type { Events } from "@jeeves/kit/events";
import type { HttpRoute } from "@jeeves/kit/http";
import { createMcpPrunerRoutes, httpConfigSchema, toToolConfig } from "@jeeves/mcp-pruner/http";
import { createPrunerRoutes, maxBodyBytesFor, configSchema as prunerSchema } from "@jeeves/pruner-service";
import { openRecoveryStore } from "@jeeves/state";
import { findProject, openRoot } from "@jeeves/workspace";
import { CliError } from "./cli-error.ts";

/** Flags of `jeeves serve` and `jeeves up`, as typed; where one is absent, the environment decides. */
export interface ServiceFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly root?: string | undefined;
  readonly logFormat?: string | undefined;
}

/** Settings that are valid, and the routes that serve them. */
export interface Services {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly logFormat: "json" | "text";
  /** What the tools for agents may see. */
  readonly root: string;
  readonly maxBodyBytes: number;
  createRoutes(events: Events): readonly HttpRoute[];
}

/** undefined: a setting is wrong, and stderr names it. */
export async function openServices(flags: ServiceFlags, env: NodeJS.ProcessEnv): Promise<Services | undefined> {
  const given = (names: Readonly<Record<string, string | undefined>>) =>
    Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const pruner = parseConfig(prunerSchema, {
    env,
    argv: {
      args: given({ host: flags.host, port: flags.port, "log-format": flags.logFormat }),
      flags: { host: "MCP_PRUNER_HOST", port: "MCP_PRUNER_PORT", "log-format": "JEEVES_LOG_FORMAT" },
    },
  });
  if (!pruner.ok) return refuse(pruner.issues);
  const tools = parseConfig(httpConfigSchema, {
    env,
    argv: { args: given({ root: flags.root }), flags: { root: "--root" } },
  });
  if (!tools.ok) return refuse(tools.issues);

  const where = tools.value["--root"] ?? tools.value.JEEVES_MCP_PRUNER_ROOT_DIR ?? process.cwd();
  const root = await openRoot(where).catch(() => {
    throw new CliError(`${where} is not a directory`, "--root names the directory that the tools may see");
  });
  const { MCP_PRUNER_MAX_INPUT_CHARS: maxInputChars, MCP_PRUNER_PRUNE_ID_TTL_S: defaultTtlS } = pruner.value;
  const store = openRecoveryStore({ env, defaultTtlS });
  const project = await findProject(root.path);
  return {
    host: pruner.value.MCP_PRUNER_HOST,
    port: pruner.value.MCP_PRUNER_PORT,
    token: pruner.value.JEEVES_TOKEN,
    logFormat: pruner.value.JEEVES_LOG_FORMAT,
    root: root.path,
    maxBodyBytes: maxBodyBytesFor(maxInputChars),
    createRoutes: (events) => [
      ...createPrunerRoutes({ maxInputChars, store, events, env }),
      ...createMcpPrunerRoutes({ config: toToolConfig(tools.value), root, project, env, store, events }),
    ],
  };
}

function refuse(issues: readonly ConfigIssue[]): undefined {
  for (const issue of issues) process.stderr.write(`jeeves: ${toConfigMessage(issue)}\n`);
}
