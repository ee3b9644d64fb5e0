#!/usr/bin/env node
// rudder-server: the MCP server of a haven. This file reads argv and the environment, and sets the exit code.
import { currentDir, WorkspaceError } from "@jeeves/workspace";
import { commandLine } from "./cli/command-line.ts";
import { endProcess, runServer } from "./mcp/main.ts";
import { boundHeap } from "./mcp/server/bound-heap.ts";

boundHeap();

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
