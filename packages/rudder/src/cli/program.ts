// The words of the command line: every group, command, argument and option, with examples. What a command does is
// imported when it runs. Nothing here touches files or the process.
import { VERSION } from "@jeeves/base";
import { Command } from "commander";
import type { Runner } from "./runner.ts";
import { addSuggestions } from "./suggestions.ts";
import { defineAgentWords, defineSandboxWords } from "./words/agent-words.ts";
import { defineArtefactWords } from "./words/artefact-words.ts";
import { defineDepsWords } from "./words/deps-words.ts";
import { defineLeadWords } from "./words/lead-words.ts";
import { defineLeaseWords } from "./words/lease-words.ts";
import { defineMcpWords } from "./words/mcp-words.ts";
import { defineMemoryWords } from "./words/memory-words.ts";
import { defineProjectWords } from "./words/project-words.ts";

/** A new program of commander's. It prints through the runner, and throws where commander would exit. */
export function createProgram(runner: Runner): Command {
  const program = new Command("rudder")
    .description("Tasks, leases and memory for many agents on one project.")
    .version(VERSION, "-v, --version")
    .option("--root <dir>", "the project's directory; default: the nearest one above with .sailing/ or .git")
    .option("--json", "one JSON value instead of words")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: runner.print, writeErr: runner.print, outputError: () => {} })
    .addHelpText("after", EXAMPLES);
  defineProjectWords(program, runner);
  defineLeadWords(program, runner);
  for (const kind of ["prd", "epic", "task"] as const)
    defineArtefactWords(group(program, kind, ABOUT[kind]), kind, runner);
  defineDepsWords(group(program, "deps", "who waits for whom"), runner);
  defineLeaseWords(group(program, "assign", "leases: who works on what"), runner);
  defineMemoryWords(runner, (name, about) => group(program, name, about));
  defineAgentWords(group(program, "agent", "agents: who does a task, where, and what became of it"), runner);
  defineSandboxWords(group(program, "sandbox", "what agents may not touch"), runner);
  defineMcpWords(group(program, "mcp", "the haven's server, for agents in a sandbox"), runner);
  addSuggestions(program);
  return program;
}

const ABOUT = {
  prd: "product requirement documents: what a project is for",
  epic: "epics: parts of a PRD",
  task: "tasks: what one agent does",
} as const;

const EXAMPLES = `
group:command and group command are the same.

Examples:
  $ rudder init
  $ rudder plan plan.md
  $ rudder task create E001 "Parse the header" --effort S
  $ RUDDER_AGENT=ada rudder assign claim T042
  $ rudder task log T042 "The API wants UTC" --tip -f src/api.js
  $ rudder deps ready
  $ rudder context:load T042 --budget 4000
  $ rudder artifact:edit T042 --section Notes --append "Added new note"`;

function group(program: Command, name: string, about: string): Command {
  return program.command(name).summary(about).description(about);
}
