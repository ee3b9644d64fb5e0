#!/usr/bin/env node
// jeeves-mcp-pruner: the tools of mcp-pruner over HTTP (D), on loopback unless --host names another address. Only this
// file reads flags and environment and sets the exit code. 0: stopped when asked; 2: it could not start.
import { type ConfigIssue, parseConfig, toConfigHelp, usageFor } from "@jeeves/kit/config";
import { createEvents, type EventSinks } from "@jeeves/kit/events";
import { ListenError, readOwnerTokens, serveUntilStopped } from "@jeeves/kit/http";
import { endProcess } from "@jeeves/kit/mcp";
import { openRecoveryStore } from "@jeeves/state";
import { findProject, killBackground, openRoot, type Root } from "@jeeves/workspace";
import { denyIssues } from "./call-rules.ts";
import { codeOf, HTTP_FLAGS, type HttpConfig, httpConfigSchema, toToolConfig } from "./http/http-config.ts";
import { createMcpPrunerRoutes } from "./http/http-routes.ts";

const { env } = process;
const args = process.argv.slice(2);

async function main(): Promise<number> {
  const usage = usageFor(args, () => {
    const settings = toConfigHelp(httpConfigSchema, { flags: HTTP_FLAGS });
    return `jeeves-mcp-pruner [options]: read, bash, grep and recover_text on /mcp\n\n${settings}`;
  });
  if (usage !== undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const parsed = parseConfig(httpConfigSchema, { env, argv: { args, flags: HTTP_FLAGS } });
  const events = createEvents({
    stderr: process.stderr,
    format: parsed.ok ? parsed.value["--log-format"] : "json",
    ...(env.JEEVES_EVENT_LOG ? { file: env.JEEVES_EVENT_LOG } : {}),
  });
  try {
    return parsed.ok ? await serve(parsed.value, events) : refuse(parsed.issues, events);
  } finally {
    await events.flush();
  }
}

function refuse(issues: readonly ConfigIssue[], events: EventSinks): number {
  for (const issue of issues) {
    events.emit("error", "mcp_pruner.config_invalid", { code: codeOf(issue.name), ...issue });
  }
  return 2;
}

async function serve(config: HttpConfig, events: EventSinks): Promise<number> {
  const asked = config["--root"] ?? config.JEEVES_MCP_PRUNER_ROOT_DIR ?? ".";
  let root: Root;
  try {
    root = await openRoot(asked);
  } catch {
    const name = config["--root"] === undefined ? "JEEVES_MCP_PRUNER_ROOT_DIR" : "--root";
    return refuse([{ name, value: asked, expected: "an existing directory" }], events);
  }
  const denied = denyIssues(toToolConfig(config));
  if (denied.length > 0) return refuse(denied, events); // a person starts this one: a bad value stops it
  const project = await findProject(root.path);
  const deps = { config: toToolConfig(config), root, project, env, store: openRecoveryStore({ env }), events };
  try {
    const end = await serveUntilStopped({
      host: config["--host"] ?? config.JEEVES_MCP_PRUNER_HOST,
      port: config["--port"] ?? config.JEEVES_MCP_PRUNER_PORT,
      token: config.JEEVES_TOKEN,
      ownerTokens: await readOwnerTokens(env, events),
      events,
      routes: createMcpPrunerRoutes(deps),
      onReady: ({ host, port }) => events.emit("info", "mcp_pruner.ready", { host, port, root: root.path }),
    });
    await killBackground();
    events.emit("info", "mcp_pruner.stopped", { graceful: end.graceful, duration_ms: end.durationMs });
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    events.emit("error", "mcp_pruner.start_failed", { code: error.code, message: error.message });
    return 2;
  }
}

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<never> = main().then(endProcess);
