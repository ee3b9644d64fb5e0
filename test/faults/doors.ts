// The doors that a tool's output leaves through, each as one call that checks its own answer: everything is there, whole
// or with an id that brings back the rest.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { expect } from "vitest";
import type { BINS, FaultyProcess, Wire } from "./faulty-process.ts";

export interface Door {
  readonly bin: keyof typeof BINS;
  readonly client?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Empties the state directory before each call, so that everything has to be made anew. */
  readonly isCold?: boolean;
  /** Once, before the first fault. */
  prepare?(server: FaultyProcess): Promise<void>;
  /** One call under a fault. Returns what must hold once the fault is gone. */
  call(server: FaultyProcess, round: number): Promise<() => Promise<void>>;
}

const QUESTION = "which value does compute_7 return?";
/** A file of its own each time: the same one again would be a repeat, which is never cut. */
function moduleText(round: number): string {
  const parts = [`# module ${round}`];
  for (let i = 0; i < 90; i++)
    parts.push(`def f${i}(x):`, `    value = compute_${i}(x)`, `    return value + ${i}`, "");
  return `${parts.join("\n")}\n`;
}
function logText(round: number): string {
  const lines = Array.from({ length: 260 }, (_, i) => `12:00:${i} worker ${i * 7} took job ${i} from the queue`);
  lines[130] = `12:01:10 ERROR worker 910 lost job ${round}: connection reset by peer`;
  return `${lines.join("\n")}\n`;
}
function fileOf({ root }: FaultyProcess, name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return name;
}

function resultOf(answer: Wire): Wire {
  expect(answer.error, "an answer, and no JSON-RPC error").toBeUndefined();
  return answer.result;
}

/** Whole, or cut with an id; the returned check brings the whole text back. */
function checkShown(server: FaultyProcess, result: Wire, whole: string): () => Promise<void> {
  const { pruning } = result.structuredContent;
  const shown: string = result.content[0].text;
  if (!pruning.applied) {
    expect(shown).toBe(whole);
    return () => checkAnswers(server);
  }
  expect(pruning.prune_id).toMatch(/^prn_/);
  return () => checkStored(server, pruning.prune_id, whole);
}

/** As a file: a recovery through the tool would make the session less willing to cut (X-52). */
async function checkStored(server: FaultyProcess, id: string, whole: string): Promise<void> {
  const files = readdirSync(server.home, { recursive: true, encoding: "utf8" });
  const texts = files.filter((file) => file.endsWith(`${id}.txt`));
  expect(texts.map((file) => readFileSync(join(server.home, file), "utf8"))).toContain(whole);
  await checkAnswers(server);
}

async function checkAnswers(server: FaultyProcess): Promise<void> {
  const name = fileOf(server, "small.txt", "small\n");
  expect(resultOf(await server.call("read", { file_path: name })).content[0].text).toBe("small\n");
}

const read: Door["call"] = async (server, round) => {
  const text = moduleText(round);
  const args = { file_path: fileOf(server, `m${round}.py`, text), context_focus_question: QUESTION };
  return checkShown(server, resultOf(await server.call("read", args)), text);
};

/** What each server has stored for recover_text: several of them are tried at once. */
const stored = new WeakMap<FaultyProcess, string>();
const STORED_TEXT = moduleText(0);

export const DOORS: Readonly<Record<string, Door>> = {
  "read, in a new state directory": { bin: "stdio", isCold: true, call: read },
  read: { bin: "stdio", call: read },
  bash: {
    bin: "stdio",
    async call(server, round) {
      const text = logText(round);
      const command = `cat ${fileOf(server, `b${round}.log`, text)}`;
      const args = { command, context_focus_question: "which worker lost its job?" };
      return checkShown(server, resultOf(await server.call("bash", args)), text);
    },
  },
  grep: {
    bin: "stdio",
    async call(server, round) {
      const name = fileOf(server, "g.log", logText(round));
      const args = { pattern: "job", path: name, context_focus_question: "which worker lost its job?" };
      const result = resultOf(await server.call("grep", args));
      const { pruning, match_count } = result.structuredContent;
      expect(match_count).toBe(260);
      if (!pruning.applied) expect(result.content[0].text.split("\n")).toHaveLength(260);
      return () => checkAnswers(server);
    },
  },
  recover_text: {
    bin: "stdio",
    async prepare(server) {
      const args = { file_path: fileOf(server, "m0.py", STORED_TEXT), context_focus_question: QUESTION };
      // On a busy machine the store may miss the short time that it has here, and nothing is cut.
      let id: string | undefined;
      for (let tries = 0; tries < 50 && id === undefined; tries++)
        id = resultOf(await server.call("read", args)).structuredContent.pruning.prune_id;
      expect(id).toMatch(/^prn_/);
      stored.set(server, id ?? "");
    },
    async call(server) {
      const result = resultOf(await server.call("recover_text", { prune_id: stored.get(server) }));
      // The stored text itself may be out of reach; then the tool reports that.
      if (result.isError === true)
        expect(result.structuredContent.error.code).toMatch(/^(?:store_unavailable|prune_id_not_found)$/);
      else expect(result.content[0].text).toBe(STORED_TEXT);
      return async () => {
        const back = resultOf(await server.call("recover_text", { prune_id: stored.get(server) }));
        expect(back.content[0].text).toBe(STORED_TEXT);
      };
    },
  },
  "a hook after a tool": {
    bin: "stdio",
    client: "claude-code",
    async call(server, round) {
      const text = logText(round);
      const event = {
        hook_event_name: "PostToolUse",
        tool_name: "mcp__other__fetch",
        tool_input: JSON.stringify({ query: `which worker lost job ${round}?` }),
        tool_response: JSON.stringify([{ type: "text", text }]),
        session_id: `s${round}`,
      };
      const result = resultOf(await server.call("jeeves_hook", event));
      const output = JSON.parse(result.content[0].text);
      const id = /prn_[a-z2-7]{12}/.exec(JSON.stringify(output))?.[0];
      if (id === undefined) expect(output).toEqual({});
      return id === undefined ? () => checkAnswers(server) : () => checkStored(server, id, text);
    },
  },
  "a hook before an edit, in shadow": {
    bin: "stdio",
    client: "claude-code",
    env: { JEEVES_MODE: "shadow" },
    async prepare(server) {
      const text = logText(0);
      const event = {
        hook_event_name: "PostToolUse",
        tool_name: "mcp__other__fetch",
        tool_input: JSON.stringify({ query: "which worker lost its job?" }),
        tool_response: JSON.stringify([{ type: "text", text }]),
        session_id: "s1",
      };
      resultOf(await server.call("jeeves_hook", event));
    },
    async call(server) {
      const tool_input = { file_path: "/x", old_string: "12:00:9 worker 63 took job 9", new_string: "y" };
      const event = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input, session_id: "s1" };
      const result = resultOf(await server.call("jeeves_hook", event));
      expect(result.content[0].text).toBe("{}");
      return () => checkAnswers(server);
    },
  },
  // Without a token, so where the system tells whose connection it is.
  ...(existsSync(`${PROC}/net/tcp`) ? { "read over HTTP": { bin: "http", call: read } } : {}),
  "prune_text on /rpc": {
    bin: "pruner",
    async call(server, round) {
      const text = logText(round);
      const options = {
        max_prune_ratio: 0.5,
        min_keep_lines: 1,
        annotate_lines: false,
        include_markers: true,
        timeout_ms: 20_000,
      };
      const args = { text, source_type: "logs", goal_hint: "lost", options };
      const answer = JSON.parse(resultOf(await server.call("prune_text", args)).content[0].text);
      const isWhole = answer.stats.pruned_lines === 0;
      if (isWhole) expect(answer.pruned_text).toBe(text);
      return async () => {
        const ranges = [{ start_line: 1, end_line: 260 }];
        const recover = { prune_id: answer.prune_id, ranges, include_line_numbers: false };
        const back = await server.call("recover_text", recover);
        if (!isWhole) expect(JSON.parse(resultOf(back).content[0].text).raw_text).toBe(text.trimEnd());
        else expect(back.error?.code).not.toBe(-32603);
      };
    },
  },
  "/prune": {
    bin: "pruner",
    async call(server) {
      // The same text each time: its entry is there already, and is renewed under the lock.
      const code = logText(1);
      const answer = await server.post("/prune", { code, query: "which worker lost its job?", max_prune_ratio: 0.5 });
      if (answer.error_msg !== null) expect(answer.pruned_code).toBe(code);
      else expect(answer.pruned_code).toContain("(filtered");
      return async () => {
        const again = await server.post("/prune", { code, query: "which worker lost its job?", max_prune_ratio: 0.5 });
        expect(again.pruned_code).toContain("(filtered");
      };
    },
  },
};

/** All of its folders: which calls a put makes then no longer depends on its id. */
export function makeShards(state: string): void {
  for (const shard of "abcdefghijklmnopqrstuvwxyz234567")
    mkdirSync(join(state, "store", shard), { recursive: true, mode: 0o700 });
}

export function emptyDir(dir: string): void {
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true });
}
