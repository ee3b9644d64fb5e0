#!/usr/bin/env node
// mcp-pruner: an MCP server on stdio with the tools read, bash, grep and recover_text. Everything comes from the
// environment (config.ts); an argument causes a warning and has no effect. Only this file reads the environment
// and sets the exit code.
import { parseConfigLeniently, toConfigHelp, usageFor } from "@jeeves/kit/config";
import { createEvents } from "@jeeves/kit/events";
import { endProcess, serveStdio } from "@jeeves/kit/mcp";
import { openRecoveryStore } from "@jeeves/state";
import { currentDir, findProject, killBackground, openRoot, type Root } from "@jeeves/workspace";
import { denyIssues } from "./call-rules.ts";
import { ambientSchema, configSchema, isUsablePrunerUrl, toolsFromInvalidList } from "./config.ts";
import { createProfile } from "./profile.ts";
import { createStdioSession } from "./session.ts";

const ABOUT =
  "mcp-pruner: read, bash, grep and recover_text over MCP on stdin and stdout. No arguments; these variables:";
const { env } = process;
const events = createEvents({
  stderr: process.stderr,
  ...(env.JEEVES_EVENT_LOG ? { file: env.JEEVES_EVENT_LOG } : {}),
});

async function main(): Promise<number> {
  const schema = configSchema.extend(ambientSchema.shape);
  const args = process.argv.slice(2);
  const usage = usageFor(args, () => `${ABOUT}\n\n${toConfigHelp(schema)}`);
  if (usage !== undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const { value, issues } = parseConfigLeniently(schema, { env, argv: { args, flags: {} } });
  for (const issue of issues) events.emit("warn", "mcp_pruner.config_invalid", issue);
  const badList = issues.find(({ name }) => name === "MCP_PRUNER_TOOLS")?.value;
  const config = badList === undefined ? value : { ...value, MCP_PRUNER_TOOLS: toolsFromInvalidList(badList) };
  for (const issue of denyIssues(config)) events.emit("warn", "mcp_pruner.config_invalid", issue);
  if (!isUsablePrunerUrl(config.PRUNER_URL)) {
    const issue = { name: "PRUNER_URL", value: config.PRUNER_URL, expected: "an http(s) URL, or empty" };
    events.emit("warn", "mcp_pruner.config_invalid", issue);
  }
  let root: Root;
  try {
    root = await openRoot(config.MCP_PRUNER_CWD ?? currentDir());
  } catch (error) {
    events.emit("error", "mcp_pruner.start_failed", {
      message: error instanceof Error ? error.message : String(error),
    });
    return 2;
  }
  const sessions = createStdioSession(env);
  const project = await findProject(root.path);
  const profile = createProfile({ config, root, project, env, store: openRecoveryStore({ env }), sessions });
  const onReady = () => events.emit("info", "mcp_pruner.ready", { root: root.path });
  const stopped = await serveStdio(profile, { events, env, onReady });
  await killBackground();
  events.emit("info", "mcp_pruner.stopped", { graceful: stopped.graceful, duration_ms: stopped.durationMs });
  return 0;
}

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<never> = main().then(async (exitCode) => {
  await events.flush();
  endProcess(exitCode);
});
