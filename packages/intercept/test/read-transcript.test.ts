// Whole transcripts of both clients, in the shapes that they are found in: whole, torn, huge, of another kind.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { claudeTranscript, codexTranscript, type Step } from "../../../test/transcript-writer.mjs";
import { contextCallsOf, readTranscript } from "../src/index.ts";

const dir = mkdtempSync(join(tmpdir(), "jeeves-transcripts-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SESSION = "0b0e7d3c-1111-4222-8333-444455556666";
const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString();
const read = (file: string) => readTranscript(join(dir, file), { waitMs: 5_000, atMs: 7 });
const put = (name: string, text: string) => writeFileSync(join(dir, name), text);
const STEPS: readonly Step[] = [
  {
    at: at(0),
    prompt: "Why does the berth test fail?",
    usage: { cached: 3_000, written: 9_000, hour: 9_000, plain: 4, output: 80 },
    tools: [
      { tool: "Read", input: { file_path: "/p/a.ts" }, text: "line\n".repeat(400), at: at(1) },
      {
        tool: "Bash",
        input: { command: "npm test" },
        text: "FAIL\n[rest: recover_text prn_abcdefghijkl]",
        isError: true,
      },
    ],
  },
  { at: at(2), usage: { cached: 12_000, written: 1_200, output: 40 }, tools: [] },
];

describe("a transcript of Claude Code", () => {
  it("X-57 has one call for all blocks of a message, with its results", async () => {
    put("a.jsonl", claudeTranscript({ session: SESSION, dir: "/p", steps: STEPS }));
    const found = await read("a.jsonl");
    expect(found?.skippedLines).toBe(0);
    expect(found?.threads).toMatchObject([
      {
        session: SESSION,
        dir: "/p",
        isSidechain: false,
        calls: [
          {
            isFirst: true,
            atMs: Date.parse(at(0)),
            toolCalls: 2,
            prompts: 1,
            usage: { cached: 3_000, written: 9_000, writtenForHour: 9_000, plain: 4, output: 80 },
            results: [
              { tool: "Read", path: "/p/a.ts", isError: false, atMs: Date.parse(at(1)), shows: [] },
              { tool: "Bash", isError: true, shows: ["prn_abcdefghijkl"] },
            ],
          },
          { isFirst: false, toolCalls: 0, prompts: 0, usage: { cached: 12_000, output: 40 } },
        ],
      },
    ]);
    expect(found?.threads[0]?.calls[0]?.results[0]?.tokens).toBeGreaterThan(300);
  });

  it("X-57 a compaction starts a new context; a subagent is a thread of its own", async () => {
    const side = claudeTranscript({
      session: SESSION,
      sidechain: true,
      agent: "a1",
      steps: [{ at: at(1), usage: { written: 500, output: 5 } }],
    });
    const compacted = { at: at(3), compacted: true, usage: { cached: 3_000, written: 800, output: 9 } };
    put("b.jsonl", claudeTranscript({ session: SESSION, steps: [...STEPS, compacted] }) + side);
    const { threads = [] } = (await read("b.jsonl")) ?? {};
    expect(threads.map(({ isSidechain, calls }) => [isSidechain, calls.map(({ isFirst }) => isFirst)])).toEqual([
      [false, [true, false, true]],
      [true, [true]],
    ]);
  });

  it("X-57 after a rewind the call before is the one on the same branch, or none", async () => {
    const usage = { cached: 3_000, written: 800, output: 9 };
    const step = (minute: number, text?: string): Step => ({
      at: at(minute),
      prompt: `Question ${minute}`,
      usage,
      tools: text === undefined ? [] : [{ tool: "Bash", input: { command: "ls" }, text }],
    });
    const steps = [step(0), step(1, "one"), step(2), step(3), step(4), step(5), step(6)];
    const lines = claudeTranscript({ session: SESSION, steps }).trim().split("\n");
    const asked = lines.flatMap((line, n) => (typeof JSON.parse(line).message.content === "string" ? [n] : []));
    // The fourth question is asked in the place of the second, the sixth in the place of the first, by their order.
    const parents = new Map([
      [asked[3], asked[1]],
      [asked[5], asked[0]],
    ]);
    const tree = lines.map((line, index) => {
      const above = (parents.get(index) ?? index) - 1;
      const place = { uuid: `u${index}`, parentUuid: above < 0 ? null : `u${above}` };
      return JSON.stringify({ ...JSON.parse(line), ...place });
    });
    put("tree.jsonl", `${tree.join("\n")}\n`);
    const { threads: [thread] = [] } = (await read("tree.jsonl")) ?? {};
    expect(thread?.calls.map(({ isFirst, before }) => (isFirst ? "first" : before))).toEqual([
      "first",
      undefined,
      undefined,
      0,
      undefined,
      "first",
      undefined,
    ]);
    const came = contextCallsOf(thread?.calls ?? []).map(({ results }) => Object.keys(results).length);
    expect(came).toEqual([0, 0, 1, 0, 0, 0, 0]);
  });

  it("X-57 skips what is torn, too long or unknown, and reads on", async () => {
    const text = claudeTranscript({ session: SESSION, steps: STEPS });
    put("c.jsonl", `{"type":"summary","summary":"x"}\n[1]\n`);
    const long = Buffer.alloc(50 * 1024 * 1024, 0x78);
    appendFileSync(join(dir, "c.jsonl"), long);
    appendFileSync(join(dir, "c.jsonl"), `\n${text}{"type":"assistant","mess`);
    const found = await read("c.jsonl");
    expect(found?.skippedLines).toBe(4);
    expect(found?.threads[0]?.calls).toHaveLength(2);
  });

  it("X-57 a count that no call can have counts nothing", async () => {
    const usage = { cached: 1e308, written: -5, plain: 3e8, output: 40 };
    put("counts.jsonl", claudeTranscript({ session: SESSION, steps: [{ at: at(0), usage, tools: [] }] }));
    const [thread] = (await read("counts.jsonl"))?.threads ?? [];
    expect(thread?.calls).toMatchObject([{ usage: { cached: 0, written: 0, plain: 0, output: 40 } }]);
  });

  it("X-57 the records say whose session it is, whatever the file is called", async () => {
    put("another.jsonl", claudeTranscript({ session: SESSION, steps: STEPS }));
    expect((await read("another.jsonl"))?.threads[0]?.session).toBe(SESSION);
  });
});

describe("a transcript of Codex", () => {
  it("X-57 has a call for each count of tokens, said once or twice, and the model of its turn", async () => {
    const steps: Step[] = [
      {
        at: at(0),
        prompt: "Why?",
        usage: { cached: 1_000, plain: 9_000, output: 30 },
        tools: [
          { tool: "shell", input: { command: ["bash", "-lc", "sed -n '1,20p' src/a.ts"] }, text: "x" },
          { tool: "shell", input: { command: ["bash", "-lc", "npm test"] }, text: "no", isError: true },
        ],
      },
      { at: at(1), usage: { plain: 11_000, output: 10 } },
    ];
    put(`rollout-2026-11-15T10-00-00-${SESSION}.jsonl`, codexTranscript({ session: SESSION, steps }));
    const { threads = [] } = (await read(`rollout-2026-11-15T10-00-00-${SESSION}.jsonl`)) ?? {};
    expect(threads).toMatchObject([
      {
        session: SESSION,
        dir: "/p",
        calls: [
          {
            usage: { model: "gpt-5.5", cached: 1_000, plain: 9_000, output: 30 },
            toolCalls: 2,
            results: [{ tool: "shell", path: "src/a.ts", isError: false }, { isError: true }],
          },
          { usage: { cached: 0, plain: 11_000 }, toolCalls: 0 },
        ],
      },
    ]);
  });
});

describe("a transcript of Codex, in other shapes", () => {
  it("X-57 tells failures of scripts and sandboxes, and names the server of a tool", async () => {
    const item = (payload: object) => JSON.stringify({ timestamp: at(0), type: "response_item", payload });
    const call = (id: string, more: object) => item({ type: "function_call", call_id: id, arguments: "{}", ...more });
    const output = (id: string, text: unknown) => item({ type: "function_call_output", call_id: id, output: text });
    const outputs: [string, unknown][] = [
      ["a", "Chunk ID: 6b0f0f\nWall time: 1.5 seconds\nProcess exited with code 1\nOutput:\nno"],
      ["b", [{ type: "input_text", text: "Script failed\nWall time 0.0 seconds\nOutput:\n" }]],
      [
        "c",
        [
          { type: "input_text", text: "Output:\n" },
          { type: "input_text", text: '{"chunk_id":"4","exit_code":2,"output":"x"}' },
        ],
      ],
      ["d", '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}'],
      ["e", "the words Exit code: 1 in the middle of a line"],
    ];
    const lines = [
      ...outputs.map(([id]) => call(id, id === "e" ? { name: "fetch", namespace: "mcp__text" } : { name: "exec" })),
      ...outputs.map(([id, text]) => output(id, text)),
    ];
    const count = { type: "token_count", info: { last_token_usage: { input_tokens: 9, output_tokens: 1 } } };
    put(
      "shapes.jsonl",
      `${[...lines, JSON.stringify({ timestamp: at(1), type: "event_msg", payload: count })].join("\n")}\n`,
    );
    const { threads: [thread] = [] } = (await read("shapes.jsonl")) ?? {};
    expect(thread?.calls).toHaveLength(1);
    expect(thread?.calls[0]?.results.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["exec", true],
      ["exec", true],
      ["exec", true],
      ["exec", true],
      ["mcp__text__fetch", false],
    ]);
  });
});

describe("what is no transcript", () => {
  it("X-57 a file that is missing is undefined; a pipe and a directory are refused at once", async () => {
    expect(await read("none.jsonl")).toBeUndefined();
    execFileSync("mkfifo", [join(dir, "pipe.jsonl")]);
    await expect(read("pipe.jsonl")).rejects.toThrow("not a regular file");
    await expect(readTranscript(dir, { waitMs: 5_000, atMs: 0 })).rejects.toThrow("not a regular file");
  });

  it("X-57 an empty file and one of another program have no threads", async () => {
    put("empty.jsonl", "");
    put("other.jsonl", '{"role":"user","parts":[]}\nhello\n');
    expect(await read("empty.jsonl")).toEqual({ threads: [], skippedLines: 0, tornLines: 0, longLines: 0 });
    expect(await read("other.jsonl")).toEqual({
      threads: [],
      skippedLines: 2,
      tornLines: expect.any(Number),
      longLines: 0,
    });
  });
});
