#!/usr/bin/env node
// rudder-server: the MCP server of a haven. This file reads argv and the environment, and sets the exit code.
import { setFlagsFromString } from "node:v8";
import { currentDir, WorkspaceError } from "@jeeves/workspace";
import { commandLine } from "./cli/command-line.ts";
import { endProcess, runServer } from "./mcp/main.ts";

// The server is idle most of the time: a small heap with more garbage collection saves 30 MB.
setFlagsFromString("--semi-space-growth-factor=1");

const { argv, env, stdout, stderr } = process;
async function main(): Promise<never> {
  try {
    endProcess(await runServer({ argv: argv.slice(2), env, cwd: currentDir(), stdout, stderr, commandLine }));
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    stderr.write(`rudder-server: ${error.message}: ${error.hint}\n`);
    process.exit(2);
  }
}

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<never> = main();
