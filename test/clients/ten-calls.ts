// Ten calls that an agent makes again and again, scripted for each client, in a project where their results are long: run
// in the bare client and in one that `jeeves init` has set up. What reached the model is compared with the meter.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { estimateTokens, type MeterEntry } from "@jeeves/cut";
import { createClientEnv } from "./agent.ts";
import { type ClaudeCodeVersion, claudeEnv, runClaudeCode } from "./claude-code.ts";
import { codexCommand, codexTextServer } from "./codex-command-line.ts";
import type { InterceptProject } from "./intercept-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";
import { createTenCallsProject, EDIT, PROMPT } from "./ten-calls-project.ts";

/** What is called, in words that are the same for every client. */
export const CALLS = [
  "failing test",
  "cat",
  "whole Read",
  "lines of it",
  "edit",
  "second Read",
  "grep",
  "MCP page",
  "git log",
  "rerun of the test",
] as const;
export type Call = (typeof CALLS)[number];

/** One call in one client. */
export interface CallRow {
  readonly call: Call;
  /** Tokens that reached the model. */
  readonly bare: number;
  readonly ours: number;
  /** The saving in the meter. */
  readonly metered: number;
  /** What our model got, without what differs from run to run. */
  readonly text: string;
}

const TEXT_SERVER = fileURLToPath(new URL("text-server.mjs", import.meta.url));

export interface TenCallsClient {
  /** The calls in the order of `CALLS`, behind what the client needs before it makes them. */
  turns(project: InterceptProject): readonly Turn[];
  run(project: InterceptProject, script: readonly Turn[], isBare: boolean): Promise<Conversation>;
}

/** Runs the calls in the bare client and in ours, and compares. */
export async function runTenCalls(client: TenCallsClient): Promise<CallRow[]> {
  const projects = await Promise.all([createTenCallsProject(), createTenCallsProject()]);
  try {
    const [bare, ours] = await Promise.all([textsOf(client, projects[0], true), textsOf(client, projects[1], false)]);
    return CALLS.map((call, index) => {
      const text = ours.texts[index] ?? "";
      const metered = ours.entries[index]?.reduce((sum, entry) => sum + savedIn(entry), 0) ?? 0;
      const tokens = { bare: estimateTokens(bare.texts[index] ?? ""), ours: estimateTokens(text) };
      return { call, ...tokens, metered, text: normalised(text, projects[1]) };
    });
  } finally {
    for (const project of projects) await project.remove();
  }
}

function savedIn({ kind, shown_tokens = 0, kept_tokens }: MeterEntry): number {
  return kind === "cut" ? shown_tokens - kept_tokens : 0;
}

/** What the model got for each call, and what was written into the meter meanwhile. */
async function textsOf(client: TenCallsClient, project: InterceptProject, isBare: boolean) {
  // A turn is asked for when the result before it has arrived.
  const written: number[] = [];
  const counted = client.turns(project).map((turn, index): Turn => {
    if (!("call" in turn)) return turn;
    return {
      call: turn.call,
      with: (seen) => {
        written[index] ??= project.meter().length;
        return typeof turn.with === "function" ? turn.with(seen) : turn.with;
      },
    };
  });
  const seen = await client.run(project, [...counted, { say: "Done." }], isBare);
  const all = project.meter();
  const entries = written.map((from, index) => all.slice(from, written[index + 1] ?? all.length)).slice(-CALLS.length);
  const outputs = seen.outputs.slice(-CALLS.length);
  return { texts: outputs.map(({ parts }) => parts.join("\n")), entries };
}

/** Claude Code's own tools. */
export function claudeCalls(version: ClaudeCodeVersion): TenCallsClient {
  return {
    turns({ root }) {
      const bash = (command: string): Turn => ({ call: { tool: "Bash" }, with: { command } });
      const file = { file_path: join(root, "src", "deliveries.ts") };
      const search = { call: { tool: "ToolSearch" }, with: { query: "select:mcp__text__fetch" } };
      return [
        ...(version.version === "2.1.325" ? [search] : []),
        bash("npm test"),
        bash("cat src/large.js"),
        { call: { tool: "Read" }, with: file },
        { call: { tool: "Read" }, with: { ...file, offset: 300, limit: 60 } },
        { call: { tool: "Edit" }, with: { ...file, old_string: EDIT.before, new_string: EDIT.after } },
        { call: { tool: "Read" }, with: file },
        // Its own grep works in parallel and prints in any order.
        bash("command grep -n retryDelayMs src/calls/*.ts"),
        { call: { server: "text", tool: "fetch" }, with: {} },
        bash("git log"),
        bash("npm test"),
      ];
    },
    async run(project, script, isBare) {
      const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
      const allow = [
        "Bash(npm test)",
        "Bash(cat *)",
        "Bash(command grep *)",
        "Bash(git log)",
        "Read",
        "Edit",
        "mcp__text__fetch",
      ];
      await mkdir(join(project.home, ".claude"), { recursive: true });
      await writeFile(join(project.home, ".claude", "settings.json"), JSON.stringify({ permissions: { allow } }));
      const text = {
        command: process.execPath,
        args: [TEXT_SERVER],
        env: { TEXT_FILE: join(project.root, "page.txt") },
      };
      await writeFile(join(project.home, ".claude", ".claude.json"), JSON.stringify({ mcpServers: { text } }));
      if (!isBare) project.jeeves(["init", "claude-code"], env);
      const given = { prompt: PROMPT, script, cwd: project.root, home: project.home };
      return (await runClaudeCode(version, { ...given, env: { JEEVES_STATE_DIR: project.stateDir } })).seen;
    },
  };
}

/** Codex, where everything but another server's page is a command. */
export function codexCalls(mode: "direct" | "code"): TenCallsClient {
  const command = (cmd: string): Turn => {
    if (mode === "direct") return { call: { tool: "exec_command" }, with: { cmd } };
    const code = `const { output } = await tools.exec_command({ cmd: ${JSON.stringify(cmd)} }); text(output);`;
    return { call: { tool: "exec" }, with: { code } };
  };
  const page = "const { content } = await tools.mcp__text__fetch({}); text(content[0].text);";
  return {
    turns: () => [
      command("npm test"),
      command("cat src/large.js"),
      command("nl -ba src/deliveries.ts"),
      command("sed -n '300,359p' src/deliveries.ts"),
      command(`sed -i 's|${EDIT.before}|${EDIT.after}|' src/deliveries.ts`),
      command("nl -ba src/deliveries.ts"),
      command("grep -n retryDelayMs src/calls/*.ts"),
      mode === "direct"
        ? { call: { server: "text", tool: "fetch" }, with: {} }
        : { call: { tool: "exec" }, with: { code: page } },
      command("git log"),
      command("npm test"),
    ],
    async run(project, script, isBare) {
      const codexHome = join(project.home, ".codex");
      await mkdir(codexHome);
      await writeFile(join(codexHome, "config.toml"), codexTextServer(join(project.root, "page.txt")));
      const clientEnv = await createClientEnv(project.home);
      const env = { ...clientEnv, CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
      if (!isBare) project.jeeves(["init", "codex"], env);
      return codexCommand({ prompt: PROMPT, script, cwd: project.root, env, mode, hasServer: !isBare });
    },
  };
}

/** Without what differs from run to run: paths, ids, times. */
function normalised(text: string, { dir }: Pick<InterceptProject, "dir">): string {
  return text
    .replaceAll(dir, "")
    .replace(/prn_[a-z2-7]{12}/g, "prn_xxxxxxxxxxxx")
    .replace(/\/store\/[a-z2-7]\//g, "/store/x/")
    .replace(/Chunk ID: \w+/g, "Chunk ID: x")
    .replace(/Wall time: [\d.]+/g, "Wall time: 0")
    .replace(/(original token count|Total output lines): \d+/gi, "$1: 0");
}
