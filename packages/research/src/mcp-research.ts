#!/usr/bin/env node
// mcp-research: an MCP server on stdio that answers questions about code bases. usage: mcp-research [--root DIR]…
// [--config FILE]. This file is the rim: it reads argv and the environment and sets the exit code.
import { parseArgs } from "node:util";
import { createEvents } from "@jeeves/kit/events";
import { serveStdio } from "@jeeves/kit/mcp";
import { loadSettings } from "./load-settings.ts";
import { createProfile } from "./mcp/profile.ts";
import { ResearchError } from "./research-error.ts";
import { createResearcher, type Researcher } from "./researcher.ts";

const USAGE = "usage: mcp-research [--root DIR]… [--config FILE]";
const { env } = process;

function start(): { readonly researcher: Researcher; readonly level: "debug" | "info" | "warn" | "error" } {
  let values: { root?: string[]; config?: string };
  try {
    values = parseArgs({ options: { root: { type: "string", multiple: true }, config: { type: "string" } } }).values;
  } catch (error) {
    throw new ResearchError("invalid_config", `${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
  const settings = loadSettings({ env, cwd: process.cwd(), roots: values.root ?? [], file: values.config });
  const researcher = createResearcher({
    settings,
    env,
    onWarning: (what, error) => events?.emit("warn", "mcp_research.warning", { what, message: String(error) }),
  });
  return { researcher, level: settings.logging.level };
}

let events: ReturnType<typeof createEvents> | undefined;

async function main(): Promise<number> {
  let started: ReturnType<typeof start>;
  try {
    started = start();
  } catch (error) {
    if (!(error instanceof ResearchError)) throw error;
    process.stderr.write(`mcp-research: ${error.message}\n${error.hint === "" ? "" : `${error.hint}\n`}`);
    return 2;
  }
  const { researcher, level } = started;
  const sinks = createEvents({
    stderr: process.stderr,
    minLevel: level,
    ...(env.JEEVES_EVENT_LOG ? { file: env.JEEVES_EVENT_LOG } : {}),
  });
  events = sinks;
  const onReady = () => sinks.emit("info", "mcp_research.ready", { roots: researcher.roots().length });
  const stopped = await serveStdio(createProfile(researcher), { events: sinks, env, onReady });
  await researcher.close();
  sinks.emit("info", "mcp_research.stopped", { graceful: stopped.graceful, duration_ms: stopped.durationMs });
  await sinks.flush();
  return 0;
}

process.exit(await main());
