#!/usr/bin/env node
// mcp-research: an MCP server on stdio that answers questions about code bases. Only this file reads argv and the
// environment and sets the exit code.
import { parseArgs } from "node:util";
import { suggest } from "@jeeves/base";
import { usageFor } from "@jeeves/kit/config";
import { createEvents, type Level } from "@jeeves/kit/events";
import { endProcess, serveStdio } from "@jeeves/kit/mcp";
import { currentDir, WorkspaceError } from "@jeeves/workspace";
import { loadSettings } from "./load-settings.ts";
import { createProfile } from "./mcp/profile.ts";
import { ResearchError } from "./research-error.ts";
import { createResearcher, type Researcher } from "./researcher.ts";

const USAGE = "usage: mcp-research [--root DIR]… [--config FILE]";
const HELP = `${USAGE}

Answers questions about code bases, over MCP on stdin and stdout.

  --root DIR     a directory that may be searched; name it again for more
                 (default: the current directory, unless it is the home directory)
  --config FILE  settings as JSON; variables and flags win over it
  --help         this text
  --version      the version

Variables: MCP_RESEARCH_ROOTS, MCP_RESEARCH_CONFIG, MCP_RESEARCH_MAX_FILES_READ, MCP_RESEARCH_MAX_BYTES_READ,
MCP_RESEARCH_MAX_TOKENS, MCP_RESEARCH_DEADLINE_MS, MCP_RESEARCH_MAX_CONCURRENT_TASKS, MCP_RESEARCH_ARTIFACTS,
MCP_RESEARCH_INDEX, MCP_RESEARCH_LOG_LEVEL, LM_STUDIO_URL, LM_STUDIO_MODEL, JEEVES_STATE_DIR, JEEVES_EVENT_LOG
`;
const OPTIONS = { root: { type: "string", multiple: true }, config: { type: "string" } } as const;
const KNOWN = Object.keys(OPTIONS).map((name) => `--${name}`);
const { env } = process;
const args = process.argv.slice(2);

interface Flags {
  readonly root?: string[];
  readonly config?: string;
}

function parseFlags(): Flags {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const typed = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    const meant = typed === undefined ? undefined : suggest(typed, [...KNOWN, "--help", "--version"]);
    const question = meant === undefined ? "" : `\nDid you mean ${meant}?`;
    throw new ResearchError("invalid_config", `${message}${question}\n${USAGE}`);
  }
}

function start(values: Flags): { readonly researcher: Researcher; readonly level: Level } {
  const settings = loadSettings({ env, cwd: currentDir(), roots: values.root ?? [], file: values.config });
  const researcher = createResearcher({
    settings,
    env,
    onWarning: (what, error) => events?.emit("warn", "mcp_research.warning", { what, message: String(error) }),
  });
  return { researcher, level: settings.logging.level };
}

let events: ReturnType<typeof createEvents> | undefined;

async function main(): Promise<number> {
  const usage = usageFor(args, () => HELP);
  if (usage !== undefined) {
    process.stdout.write(usage);
    return 0;
  }
  let started: ReturnType<typeof start>;
  try {
    started = start(parseFlags());
  } catch (error) {
    if (!(error instanceof ResearchError || error instanceof WorkspaceError)) throw error;
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

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<never> = main().then(endProcess);
