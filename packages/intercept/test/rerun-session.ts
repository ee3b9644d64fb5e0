// A session whose commands run again and again: each result is written to the transcript as Claude Code or Codex does.
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryStore } from "@jeeves/state";
import { cutCommandOutput } from "../src/index.ts";
import { given, QUESTION } from "./given.ts";

export interface RunOptions {
  readonly exitCode?: number | undefined;
  readonly command?: string;
  /** Where the command runs; default: the project. */
  readonly dir?: string;
  /** Made by a subagent: the call is not in the session's own transcript. */
  readonly isSubagents?: boolean;
  readonly transcriptPath?: string;
}

type Client = "claude-code" | "codex" | "codex, in programs";
const made: (() => Promise<void>)[] = [];

export async function removeSessions(): Promise<void> {
  for (const remove of made.splice(0)) await remove();
}

export async function createSession(client: Client = "claude-code", contextTokens = 50_000) {
  const store = createMemoryStore({});
  const { dir, env, cutter, meter, meterLines, remove } = await given({}, store);
  const transcript = join(dir, "session.jsonl");
  const isCodex = client !== "claude-code";
  const records = isCodex ? codexRecords(dir, contextTokens, client) : claudeRecords(dir, contextTokens);
  let written = 0;
  /** Each record hangs off the one before, as Claude Code's do, unless it says otherwise. */
  const inTree = (record: object) => {
    const parentUuid = written === 0 ? null : `u${written}`;
    return isCodex ? record : { uuid: `u${++written}`, parentUuid, ...record };
  };
  const write = (...all: readonly object[]) =>
    appendFile(transcript, all.map((record) => `${JSON.stringify(inTree(record))}\n`).join(""));
  await writeFile(transcript, "");
  await write(...records.start);
  let calls = 0;
  /** What the model gets. */
  async function run(text: string, options: RunOptions = {}): Promise<string> {
    const { exitCode = 1, command = "npm test", dir: place = dir, isSubagents = false } = options;
    const id = `call_${++calls}`;
    if (!isSubagents) await write(...records.call(id, command, place));
    const shown = await cutCommandOutput(
      {
        command,
        text,
        exitCode: "exitCode" in options ? options.exitCode : exitCode,
        client: isCodex ? "codex" : client,
        session: "s1",
        project: place,
        transcriptPath: options.transcriptPath ?? transcript,
        signal: new AbortController().signal,
      },
      { cutter, meter, env },
    );
    const result = shown ?? text;
    if (!isSubagents) await write(...records.result(id, result));
    return result;
  }
  made.push(remove);
  return { dir, store, transcript, write, run, meterLines };
}

function claudeRecords(cwd: string, tokens: number) {
  const usage = { input_tokens: tokens, output_tokens: 1 };
  let messages = 0;
  const assistant = (content: object, dir = cwd) => {
    const message = { id: `m${++messages}`, role: "assistant", model: "claude", content: [content], usage };
    return { type: "assistant", cwd: dir, sessionId: "s1", message };
  };
  return {
    start: [{ type: "user", cwd, message: { role: "user", content: QUESTION } }],
    call: (id: string, command: string, dir: string) => [
      assistant({ type: "tool_use", id, name: "Bash", input: { command, description: "Run it" } }, dir),
    ],
    result: (id: string, text: string) => {
      const block = { type: "tool_result", tool_use_id: id, is_error: true, content: `Exit code 1\n${text}` };
      return [{ type: "user", cwd, message: { role: "user", content: [block] } }];
    },
  };
}

/** What a model writes that runs commands in programs. */
export const programOf = (cmd: string, workdir?: string) =>
  `const { output } = await tools.exec_command(${JSON.stringify({ cmd, workdir, yield_time_ms: 1000 })});\ntext(output);\n`;

function codexRecords(cwd: string, tokens: number, client: Client) {
  const item = (payload: object) => ({ type: "response_item", payload });
  const last = { input_tokens: tokens, cached_input_tokens: 0, output_tokens: 1 };
  return {
    start: [
      { type: "session_meta", payload: { id: "s1", cwd } },
      { type: "turn_context", payload: { cwd, model: "gpt" } },
      item({ type: "message", role: "user", content: [{ type: "input_text", text: QUESTION }] }),
      { type: "event_msg", payload: { type: "session_configured", cwd } },
      { type: "event_msg", payload: { type: "token_count", info: { last_token_usage: last } } },
    ],
    call: (id: string, cmd: string, dir: string) => {
      const workdir = dir === cwd ? {} : { workdir: dir };
      if (client !== "codex") {
        const program = { type: "custom_tool_call", name: "exec", call_id: id };
        return [item({ ...program, input: programOf(cmd, workdir.workdir) })];
      }
      const named = { type: "function_call", name: "exec_command", call_id: id };
      return [item({ ...named, arguments: JSON.stringify({ cmd, ...workdir }) })];
    },
    result: (id: string, text: string) => {
      if (client !== "codex") {
        const parts = ["Script completed\nWall time 1.0 seconds\nOutput:\n", text];
        const output = parts.map((part) => ({ type: "input_text", text: part }));
        return [item({ type: "custom_tool_call_output", call_id: id, output })];
      }
      const output = `Chunk ID: a1b2\nWall time: 1.0 seconds\nProcess exited with code 1\nOutput:\n${text}`;
      return [item({ type: "function_call_output", call_id: id, output })];
    },
  };
}
