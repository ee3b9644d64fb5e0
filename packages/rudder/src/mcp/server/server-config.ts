// The configuration of rudder-server: four options, and the variables that rudder itself reads. The options
// have no variables of their own: what an agent's environment holds must not turn its stdio server into a listener.
import { parseConfig, portField, toConfigHelp, toConfigMessage, usageFor } from "@jeeves/kit/config";
import * as z from "zod";
import { configSchema } from "../../config.ts";
import { readId } from "../../ids.ts";
import { DEFAULT_TTL_MS } from "../../lease/lease.ts";

const schema = configSchema.extend({
  PROJECT_ROOT: z.string().min(1).optional().describe("the project's directory"),
  SOCKET: z.string().min(1).optional().describe("listen on this Unix socket"),
  PORT: portField.optional().describe("listen on this port of 127.0.0.1"),
  TASK_ID: z
    .string()
    .refine((value) => readId(value)?.kind === "task", "a task id like T042")
    .optional()
    .describe("only this task, for every call"),
});
type ServerConfig = z.infer<typeof schema>;

const FLAGS = { "project-root": "PROJECT_ROOT", socket: "SOCKET", port: "PORT", "task-id": "TASK_ID" };
const FROM_ENV = [...Object.keys(configSchema.shape)];

const USAGE = `usage: rudder-server [--project-root DIR] [--socket PATH] [--port PORT] [--task-id TNNN]
An MCP server for the agents of one project: on stdio, a Unix socket, or a TCP port of 127.0.0.1.

${toConfigHelp(schema, { flags: FLAGS })}`;

type ParsedConfig =
  | { readonly kind: "config"; readonly config: ServerConfig }
  | { readonly kind: "usage"; readonly text: string }
  | { readonly kind: "wrong"; readonly message: string };

/** The configuration, the usage that was asked for, or everything that is wrong, one line each. */
export function parseServerConfig(argv: readonly string[], env: NodeJS.ProcessEnv): ParsedConfig {
  const text = usageFor(argv, () => USAGE);
  if (text !== undefined) return { kind: "usage", text };
  const known = Object.fromEntries(FROM_ENV.map((name) => [name, env[name]]));
  const parsed = parseConfig(schema, { env: known, argv: { args: argv, flags: FLAGS } });
  if (parsed.ok) return { kind: "config", config: parsed.value };
  return { kind: "wrong", message: parsed.issues.map(toConfigMessage).join("\n") };
}

/** How long a lease of a served call lasts; the default where the variable is missing or invalid. */
export function readTtlMs(env: NodeJS.ProcessEnv): number {
  const parsed = configSchema.shape.RUDDER_LEASE_TTL_S.safeParse(env.RUDDER_LEASE_TTL_S);
  return parsed.success ? Math.round(parsed.data * 1000) : DEFAULT_TTL_MS;
}
