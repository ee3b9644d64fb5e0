// Gemini CLI's tools: the shapes that version 0.61.0 was seen to send.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { afterEach, describe, expect, it } from "vitest";
import { placesIn } from "../../cut/test/search/match-places.ts";
import { linkStored } from "../src/gemini/project-files.ts";
import { readRecord, type ToolEvent, toGeminiOutput } from "../src/index.ts";
import { ANSWER, given, makeSource, QUESTION } from "./given.ts";
import { withPaths } from "./with-paths.ts";

const source = makeSource();
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function start() {
  const one = await given();
  made.push(one);
  const chats = join(one.dir, ".gemini", "tmp", "project", "chats");
  await mkdir(chats, { recursive: true });
  const transcript = join(chats, "session-2026-11-18T05-26-0a7f7682.jsonl");
  const user = { id: "u1", timestamp: "", type: "user", content: [{ text: QUESTION }] };
  await writeFile(transcript, `${JSON.stringify(user)}\n`);
  const ask = (moment: string, tool: string, input: object, llmContent?: unknown) =>
    one.handle(
      {
        ...{ hook_event_name: moment, tool_name: tool, tool_input: input, own_server: "jeeves" },
        ...{ transcript_path: transcript, tool_response: { llmContent, returnDisplay: "" } },
      },
      "gemini-cli",
    );
  const after = async (tool: string, input: object, llmContent: unknown) => {
    const answer = await ask("AfterTool", tool, input, llmContent);
    return answer?.kind === "replace" ? String(answer.output) : undefined;
  };
  const event: ToolEvent = { moment: "PostToolUse", tool: "glob", input: {}, response: {}, transcriptPath: transcript };
  return {
    ...one,
    ask,
    after,
    event,
    places: { home: join(one.dir, ".gemini"), cwd: one.dir, systemDir: join(one.dir, "etc") },
  };
}

const fenced = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`;

describe("results", () => {
  it("read_file keeps the answer and the words above a page, and numbers nothing", async () => {
    const { after, dir } = await start();
    const head =
      "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-1500 of 2778 total lines.\n" +
      "Action: To read more of the file, you can use the 'start_line' and 'end_line' parameters.\n\n--- FILE CONTENT (truncated) ---\n";
    const shown = (await after("read_file", { file_path: join(dir, "a.ts") }, `${head}${source}`)) ?? "";
    expect(shown.startsWith(head)).toBe(true);
    expect(shown.split("\n")).toContain(ANSWER);
    expect(shown).toMatch(/⟦… \d+ lines \d+-\d+⟧/);
    expect(await after("read_file", { file_path: "a.ts", start_line: 3, end_line: 900 }, source)).toBeUndefined();
  });

  it("a failing command keeps its failure, its exit code and the fence around it", async () => {
    const { after } = await start();
    const log = Array.from({ length: 4_000 }, (_, i) => ` ✓ case ${i} of area ${i % 17}`);
    log.splice(2_000, 0, " FAIL  test/a.test.ts > waits", "AssertionError: expected 1 to be 2");
    const about = "Exit Code: 1\nProcess Group PGID: 17820";
    const shown = await after(
      "run_shell_command",
      { command: "npm test" },
      fenced(`Output: ${log.join("\n")}\n${about}`),
    );
    expect(shown).toMatch(/^<untrusted_context>\nOutput: /);
    expect(shown).toContain("AssertionError: expected 1 to be 2");
    expect(shown?.endsWith(`\n${about}\n</untrusted_context>`)).toBe(true);
    expect(shown?.length).toBeLessThan(5_000);
  });

  it("X-58 a search names every match", async () => {
    const { after } = await start();
    const long = "as the registry of the module has it, ".repeat(8);
    const files = Array.from({ length: 5 }, (_, file) => ({
      path: `src/m${file}.ts`,
      lines: Array.from(
        { length: 20 },
        (_, i) => `L${i + 1}: const v${i} = normalize(); // ${i === 7 ? "checks the voucher limit" : long}`,
      ),
    }));
    const head =
      'Found 100 matches for pattern "normalize" in the workspace directory (results limited to 100 matches for performance):';
    const content = [head, ...files.flatMap(({ path, lines }) => ["---", `File: ${path}`, ...lines]), "---"].join("\n");
    const shown = (await after("grep_search", { pattern: "normalize" }, content)) ?? "";
    expect(shown.startsWith(`${head}\n`)).toBe(true);
    const places = files.flatMap(({ path }) => Array.from({ length: 20 }, (_, i) => `${path}:${i + 1}`));
    expect(placesIn(withPaths(shown))).toEqual(places.sort());
  });

  it("another server's text is cut within its fence; ours, failures and several parts are left alone", async () => {
    const { after } = await start();
    const content = [{ text: fenced(source) }];
    const shown = await after("mcp_docs_fetch", { query: "voucher limit" }, content);
    expect(shown).toMatch(/^<untrusted_context>\n[\s\S]*voucherLimitCents[\s\S]*\n<\/untrusted_context>$/);
    expect(await after("mcp_jeeves_read", {}, content)).toBeUndefined();
    expect(await after("mcp_docs_fetch", {}, [...content, ...content])).toBeUndefined();
  });

  it.each([
    ["replace", { file_path: "a", old_string: "x", new_string: "⟦… 35 lines 120-154⟧" }],
    ["write_file", { file_path: "a", content: "⟦… 35 lines 120-154⟧" }],
  ])("%s may not write a marker", async (tool, input) => {
    const { ask, event, places } = await start();
    const answer = await ask("BeforeTool", tool, input);
    expect(await toGeminiOutput(answer, event, places)).toMatchObject({ decision: "deny" });
  });
});

describe("the answer", () => {
  const replace = { kind: "replace", output: "kept\nlines" } as const;

  it("asks for read_file on a file of the project, which holds the text", async () => {
    const { event, places } = await start();
    const output = await toGeminiOutput(replace, event, places);
    const call = (output.hookSpecificOutput as { tailToolCallRequest: { name: string; args: { file_path: string } } })
      .tailToolCallRequest;
    expect(call.name).toBe("read_file");
    expect(call.args.file_path).toContain(join(".gemini", "tmp", "project", "jeeves", "shown-"));
    expect(await readFile(call.args.file_path, "utf8")).toBe("kept\nlines");
  });

  it.each([
    ["settings.json", '{"tools":{"exclude":["read_file"]}}'],
    ["settings.json", '{"tools":{"core":["glob"]}}'],
    ["settings.json", '{"excludeTools":["ReadFileTool"'],
    ["policies/own.toml", '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\n'],
    ["agents/mine.md", "---\nname: mine\ntools:\n  - run_shell_command\n---\nYou run commands.\n"],
  ])("is none where read_file may be missing: %s %s", async (name, text) => {
    const { event, places } = await start();
    await mkdir(join(places.home, name, ".."), { recursive: true });
    await writeFile(join(places.home, name), text);
    expect(await toGeminiOutput(replace, event, places)).toEqual({});
    expect(await toGeminiOutput(replace, { ...event, tool: "read_file" }, places)).toHaveProperty("hookSpecificOutput");
  });

  it("a comment in Gemini's settings kept every result whole: its settings may have some", async () => {
    const { event, places } = await start();
    await mkdir(places.home, { recursive: true });
    await writeFile(
      join(places.home, "settings.json"),
      '{\n  // mine\n  "hooks": { "AfterTool": [{ "matcher": "read_file" }] },\n}\n',
    );
    expect(await toGeminiOutput(replace, event, places)).toHaveProperty("hookSpecificOutput");
  });

  it("is none for what read_file would cut, and without a directory of the project", async () => {
    const { event, places } = await start();
    for (const output of ["x\n".repeat(2_001), "x".repeat(2_001)])
      expect(await toGeminiOutput({ kind: "replace", output }, event, places)).toEqual({});
    expect(await toGeminiOutput(replace, { ...event, transcriptPath: "/nowhere/chats/x.jsonl" }, places)).toEqual({});
    expect(await toGeminiOutput(undefined, event, places)).toEqual({});
  });

  it("X-21 a stored text is linked to where read_file may open it", async () => {
    const { event, env } = await start();
    const stored = await createDiskStore({ env }).put({ text: source, focus: "x", options: {}, source: {} });
    const name = await linkStored(event, { pruneId: stored.pruneId, path: stored.path ?? "" });
    expect(name).toContain(`/jeeves/${stored.pruneId}.txt`);
    expect(await readFile(name ?? "", "utf8")).toBe(source);
    expect(await linkStored(event, { pruneId: stored.pruneId, path: stored.path ?? "" })).toBe(name);
  });
});

it("its transcript gives prompts, words, calls, results and what a call was billed", () => {
  const events = (record: object) => readRecord(JSON.stringify(record))?.events;
  const base = { id: "m1", timestamp: "2026-11-18T05:26:56.622Z" };
  expect(events({ ...base, type: "user", content: [{ text: "Why?" }] })).toEqual([{ kind: "prompt", text: "Why?" }]);
  expect(events({ ...base, type: "user", content: [{ functionResponse: {} }] })).toEqual([]);
  const tokens = { input: 1_000, output: 10, cached: 400, thoughts: 5, tool: 0, total: 1_015 };
  const result = [{ functionResponse: { id: "c1", response: { output: "found" } } }];
  const toolCalls = [{ id: "c1", name: "glob", args: { pattern: "*" }, result, status: "success" }];
  const answer = { ...base, type: "gemini", content: "I look.", thoughts: [{ description: "Hm." }], tokens, toolCalls };
  expect(events({ ...answer, model: "gemini-3.1-pro-preview" })).toMatchObject([
    { kind: "said", text: "I look." },
    { kind: "thought", text: "Hm." },
    { kind: "call", id: "c1", tool: "glob" },
    { kind: "result", id: "c1", text: "found", isError: false },
    { kind: "usage", usage: { model: "gemini-3.1-pro-preview", cached: 400, plain: 600, output: 15 } },
  ]);
  expect(events({ $set: { lastUpdated: "x" } })).toBeUndefined();
});
