import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMeter, estimateTokens, parseCutRecord, readMeter } from "@jeeves/cut";
import type { RecoveryStore } from "@jeeves/state";
import { afterEach, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../cut/test/search/match-places.ts";
import { cutCommandOutput, toHookOutput } from "../src/index.ts";
import { ANSWER, given, makeSource, QUESTION, readEvent, shownText } from "./given.ts";

const source = makeSource();
const lines = source.split("\n");
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});
async function start(...args: Parameters<typeof given>) {
  const one = await given(...args);
  made.push(one);
  return one;
}

const matches = Array.from(
  { length: 300 },
  (_, i) => `src/file-${i}.ts:${i + 1}:  log.write("row", ${i}, voucher${i})`,
).join("\n");
/** The shape that Claude Code 2.1.197 and 2.1.325 were seen to send, where their entry point gives them the tool. */
const grepEvent = (content: string) => ({
  hook_event_name: "PostToolUse",
  tool_name: "Grep",
  tool_input: { pattern: "voucher97" },
  tool_response: { mode: "content", numFiles: 0, filenames: [], content, numLines: content.split("\n").length },
});
const mcpEvent = (tool: string, response: unknown) => ({
  hook_event_name: "PostToolUse",
  tool_name: tool,
  tool_input: { query: "voucher limit" },
  tool_response: response,
  own_server: "pruner",
});

describe("a subagent's answer", () => {
  /** As Claude Code 2.1.197 was seen to send it. */
  const agentEvent = (response: unknown) => ({
    hook_event_name: "PostToolUse",
    tool_name: "Agent",
    tool_input: { description: "look", prompt: "voucher limit", subagent_type: "general-purpose" },
    tool_response: response,
  });

  it("is cut in its own shape", async () => {
    const { handle } = await start();
    const answer = await handle(
      agentEvent({ status: "completed", agentId: "a1", content: [{ type: "text", text: source }] }),
    );
    const output = answer?.kind === "replace" ? answer.output : undefined;
    expect(output).toMatchObject({ status: "completed", agentId: "a1", content: [{ type: "text" }] });
    const { content } = output as { content: { text: string }[] };
    expect(content[0]?.text).toContain(ANSWER);
    expect(content[0]?.text.length).toBeLessThan(source.length / 2);
  });

  it("of an agent in the background is not there yet", async () => {
    const { handle, unknownShapes } = await start();
    expect(await handle(agentEvent({ isAsync: true, status: "async_launched", agentId: "a1" }))).toBeUndefined();
    expect(unknownShapes).toEqual([]);
  });
});

describe("a native Read", () => {
  it("X-21 keeps the answer, numbers every kept line truly, and everything comes back from the store", async () => {
    const { handle, dir, store } = await start();
    const shown = shownText(await handle(readEvent(join(dir, "a.ts"), source))).split("\n");
    const last = shown.pop() ?? "";
    const id =
      /^\[(?:weak match; )?rest: (?:read by lines or )?recover_text (prn_[a-z2-7]{12})\]$/.exec(last)?.[1] ?? "";
    expect((await store.get(id))?.text).toBe(source);
    expect(shown.some((line) => line.endsWith(ANSWER))).toBe(true);
    let next = 1;
    for (const line of shown) {
      const marker = /^⟦… \d+ lines? (\d+)(?:-(\d+))?⟧$/.exec(line);
      if (marker === null) {
        expect(line).toBe(`${next}│ ${lines[next - 1]}`);
        next += 1;
      } else {
        expect(Number(marker[1])).toBe(next);
        next = Number(marker[2] ?? marker[1]) + 1;
      }
    }
    expect(next - 1).toBeGreaterThanOrEqual(lines.length - 1);
    expect(shown.length).toBeLessThan(lines.length / 2);
  });

  it.each(["out.txt", "out.md", "out.json", "out.out", "out.log", "out.csv", "out.py", "out"])(
    "X-59 a failed test among hundreds of lines stays in %s",
    async (name) => {
      const { handle, dir } = await start();
      const failed = "FAILED tests/test_orders.py::test_total - assert 3 == 4: boom";
      const steps = Array.from(
        { length: 1200 },
        (_, i) => `step ${i}: copied the parts of order ${i * 7} to the archive`,
      );
      const text = [...steps.slice(0, 700), failed, ...steps.slice(700)].join("\n");
      const shown = shownText(await handle(readEvent(join(dir, name), text)));
      expect(shown).toContain(failed);
      expect(shown.length).toBeLessThan(text.length / 4);
    },
  );

  it("keeps the shape of the tool's own result", async () => {
    const { handle, dir } = await start();
    const answer = await handle(readEvent(join(dir, "a.ts"), source));
    expect(answer).toMatchObject({
      kind: "replace",
      output: { type: "text", file: { filePath: join(dir, "a.ts"), startLine: 1 } },
    });
  });

  it("of a file beyond Claude's own cap the first page is cut, and its numbers stay those that Claude tells", async () => {
    const { handle, dir } = await start();
    const event = readEvent(join(dir, "a.ts"), source);
    const file = JSON.parse(event.tool_response).file;
    const partOf = (more: object) =>
      handle({ ...event, tool_response: { type: "text", file: { ...file, totalLines: 9_999, ...more } } });
    const answer = await partOf({ truncatedByTokenCap: true });
    expect(shownText(answer)).toContain(ANSWER);
    expect(answer).toMatchObject({
      output: { file: { numLines: lines.length, totalLines: 9_999, truncatedByTokenCap: true } },
    });
    // A part that nobody says anything about is left alone.
    expect(await partOf({})).toBeUndefined();
  });

  it("X-23 one endless line is cut inside, never to nothing", async () => {
    const { handle, dir } = await start();
    const answer = await handle(readEvent(join(dir, "min.js"), "var a=1;".repeat(20_000)));
    const { file } = (answer as { output: unknown }).output as { file: { content: string } };
    const { content } = file;
    expect(content).toMatch(/^1│ (var a=1;)+/);
    expect(content).toMatch(/⟦… 158,080 chars 1921-160000⟧/);
    expect(content).toMatch(/rest: recover_text prn_/);
    expect(content.length).toBeLessThan(4_000);
  });

  it("X-23 is left alone below 6,000 tokens, with an offset or limit, and as a diff", async () => {
    const { handle, dir } = await start();
    const small = lines.slice(0, 300).join("\n");
    expect(await handle(readEvent(join(dir, "a.ts"), small))).toBeUndefined();
    expect(await handle(readEvent(join(dir, "a.ts"), source, { offset: 1 }))).toBeUndefined();
    expect(await handle(readEvent(join(dir, "a.ts"), source, { limit: 2000 }))).toBeUndefined();
    expect(await handle(readEvent(join(dir, "a.diff"), `diff --git a/x b/x\n${source}`))).toBeUndefined();
    expect(await handle(readEvent(join(dir, "b.ts"), source))).toBeDefined();
  });

  it("is left alone where the file was edited last", async () => {
    const { handle, dir } = await start();
    const edit = (path: string) => ({
      hook_event_name: "PreToolUse",
      tool_name: "Edit",
      tool_input: { file_path: path, old_string: "a", new_string: "b" },
    });
    await handle(edit(join(dir, "a.ts")));
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeUndefined();
    await handle(edit(join(dir, "other.ts")));
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeDefined();
  });

  it("X-23 the same read again goes through raw, and is counted", async () => {
    const { handle, dir, meterKinds } = await start();
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeDefined();
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeUndefined();
    expect(await meterKinds()).toEqual(["cut", "repeated"]);
  });

  it("a hook that is called twice for one call answers twice the same, and counts once", async () => {
    const { handle, dir, meterKinds } = await start();
    const event = { ...readEvent(join(dir, "a.ts"), source), tool_use_id: "call_1" };
    const first = await handle(event);
    expect(first).toBeDefined();
    expect(await handle(event)).toEqual(first);
    expect(await meterKinds()).toEqual(["cut"]);
  });

  it("X-21 a store that takes nothing leaves the text as it is", async () => {
    const store: RecoveryStore = { put: () => Promise.reject(new Error("full")), get: async () => undefined };
    const { handle, dir } = await start({}, store);
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeUndefined();
  });

  it("without a focus a source file is left alone, and a log is cut by the rules for logs", async () => {
    const { handle, dir } = await start();
    const nowhere = { transcript_path: join(dir, "missing.jsonl") };
    expect(await handle({ ...readEvent(join(dir, "a.ts"), source), ...nowhere })).toBeUndefined();
    const log = Array.from({ length: 2_000 }, (_, i) =>
      i === 1_234 ? "2026-01-01T00:00:00Z ERROR disk is full" : `2026-01-01T00:00:${i % 60}Z INFO handled request ${i}`,
    ).join("\n");
    const shown = shownText(await handle({ ...readEvent(join(dir, "server.log"), log), ...nowhere }));
    expect(shown).toContain("ERROR disk is full");
  });
});

describe("other tools", () => {
  /** 168 calls, of which one has to do with the question. */
  const found = Array.from({ length: 168 }, (_, i) => {
    const given = i === 97 ? "voucher.limit, checkedVoucher" : `request.rows[${i}].file`;
    return `src/part-${i % 12}/paths.ts:${i * 9 + 1}:    const path${i} = normalizePath(${given});`;
  });

  it("Grep above 150 lines keeps what matches, in its own shape", async () => {
    const { handle } = await start();
    const shown = shownText(await handle(grepEvent(matches)));
    expect(shown).toContain("voucher97)");
    expect(shown.length).toBeLessThan(matches.length * 0.75);
    expect(await handle(grepEvent(matches.split("\n").slice(0, 150).join("\n")))).toBeUndefined();
    expect(
      await handle({ ...grepEvent(matches), tool_response: { mode: "files_with_matches", content: matches } }),
    ).toBeUndefined();
  });

  it("X-58 Grep: every match is in the first answer, ranked or not, and the whole in the second", async () => {
    const { handle, transcript, meterKinds } = await start();
    const search = (order: readonly string[], input: object = {}) =>
      handle({ ...grepEvent(order.join("\n")), tool_input: { pattern: "normalizePath", ...input } });
    const ranked = placesIn(shownText(await search(found)));
    expect(ranked).toEqual(placesOf(found));
    expect(await meterKinds()).toEqual(["cut"]);
    // ripgrep's order differs from call to call, and models order their arguments as they like.
    expect(await search([...found].reverse())).toBeUndefined();

    const said = { type: "user", message: { role: "user", content: "List every call site of normalizePath" } };
    await writeFile(transcript, `${JSON.stringify(said)}\n`);
    for (const input of [{ glob: "*.ts" }, { path: "src", head_limit: 0 }]) {
      const shown = shownText(await search(found, input));
      expect(placesIn(shown)).toEqual(placesOf(found));
      const first = shown.split("\n").filter((line) => line.includes("normalizePath("));
      expect(first).toEqual(found.slice(0, first.length));
      expect(shown.length).toBeLessThan(found.join("\n").length * 0.6);
    }
    expect(await search(found, { head_limit: 0, path: "src" })).toBeUndefined();
    expect(await meterKinds()).toEqual(["cut", "repeated", "cut", "cut", "repeated"]);
  });

  it("X-58 Grep: files with the time in their names keep their names and the number of their matches", async () => {
    const { handle } = await start();
    const places = Array.from({ length: 400 }, (_, i) => `app-2026-01-1${i % 5}T12:30:4${i % 7}.log:${i + 1}`);
    const lines = places.map((place, i) => `src/${place}:normalizePath(${i}) 12:30:45 and more of the same text`);
    const shown = shownText(await handle({ ...grepEvent(lines.join("\n")), tool_input: { pattern: "normalizePath" } }));
    const named = shown.split("\n").flatMap((line) => {
      const [, path, numbers = ""] = /^(\S+\.log): (\d+(?:, \d+)*)$/.exec(line) ?? [];
      return path === undefined
        ? (/^\S+\.log:\d+(?=:)/.exec(line)?.[0] ?? [])
        : numbers.split(", ").map((n) => `${path}:${n}`);
    });
    expect(named.sort()).toEqual(places.map((place) => `src/${place}`).sort());
    expect(shown.length).toBeLessThan(lines.join("\n").length * 0.75);
  });

  it("X-58 head_limit 0 asks for all, whatever the user said", async () => {
    const { handle } = await start();
    const found = matches.split("\n");
    const event = { ...grepEvent(matches), tool_input: { pattern: "voucher97", head_limit: "0" } };
    const shown = shownText(await handle(event)).split("\n");
    const first = shown.indexOf(shown.find((line) => line.startsWith("⟦…")) ?? "");
    expect(first).toBeGreaterThan(5);
    expect(shown.slice(0, first)).toEqual(found.slice(0, first));
    expect(shown).not.toContain(found[97 + 180]);
    expect(placesIn(shown.join("\n"))).toEqual(placesOf(found));
  });

  it("X-51 X-58 matches that are all too long to show are named rather than left to the client's own cut", async () => {
    const { handle } = await start();
    const long = Array.from({ length: 200 }, (_, i) => `lib/part-${i}.min.js:${i + 1}:limit${"y".repeat(3_000)}`);
    const shown = shownText(await handle({ ...grepEvent(long.join("\n")), tool_input: { pattern: "y" } }));
    expect(shown.length).toBeLessThanOrEqual(45_000);
    expect(placesIn(shown)).toEqual(placesOf(long));
  });

  it("X-23 X-58 another session's search is no repeat of this one's", async () => {
    const { handle } = await start();
    expect(await handle(grepEvent(matches))).toBeDefined();
    expect(await handle({ ...grepEvent(matches), session_id: "s2" })).toBeDefined();
    expect(await handle(grepEvent(matches))).toBeUndefined();
  });

  it("X-58 a match list of another server keeps every match", async () => {
    const { handle } = await start();
    const shown = shownText(await handle(mcpEvent("mcp__files__search", [{ type: "text", text: found.join("\n") }])));
    expect(shown).toContain("checkedVoucher");
    expect(placesIn(shown)).toEqual(placesOf(found));
  });

  it("X-21 a stored text that is read as a file comes back whole: it was asked for because it had been cut", async () => {
    const { handle, dir, meterKinds } = await start();
    const path = join(dir, "state", "store", "ab", "prn_abcdefghijkl.txt");
    expect(await handle(readEvent(path, source))).toBeUndefined();
    expect(await meterKinds()).toEqual(["recovered"]);
  });

  it("X-56 lines of a stored text, read or searched by the client, are a recovery of what the model was shown", async () => {
    const { handle, dir, meterLines, transcript } = await start();
    const usage = { input_tokens: 10, cache_read_input_tokens: 40_000, output_tokens: 5 };
    const said = { type: "assistant", message: { role: "assistant", id: "m1", content: [], usage } };
    await appendFile(transcript, `${JSON.stringify(said)}\n`);
    const path = join(dir, "state", "store", "a", "prn_abcdefghijkl.txt");
    const some = lines.slice(119, 154).join("\n");
    const file = { filePath: path, content: some, numLines: 35, startLine: 120, totalLines: lines.length };
    const range = readEvent(path, some, { offset: 120, limit: 35 });
    expect(await handle({ ...range, tool_response: { type: "text", file } })).toBeUndefined();
    expect(await handle({ ...grepEvent(some), tool_input: { pattern: "row", path } })).toBeUndefined();
    const common = { kind: "recovered", prune_id: "prn_abcdefghijkl", context_tokens: 40_010 };
    const [read, search] = await meterLines();
    expect(read).toMatchObject({ ...common, tool: "Read" });
    expect(read?.raw_tokens).toBeGreaterThan(estimateTokens(some)); // the client numbers its lines
    expect(search).toMatchObject({ ...common, tool: "Grep", raw_tokens: estimateTokens(some) });
  });

  it("text of another server is cut, our own is not, and neither are images or several texts", async () => {
    const { handle } = await start();
    expect(shownText(await handle(mcpEvent("mcp__files__fetch", [{ type: "text", text: source }])))).toContain(ANSWER);
    expect(await handle(mcpEvent("mcp__pruner__read", [{ type: "text", text: source }]))).toBeUndefined();
    for (const way of ["recover_text prn_abcdefghijkl", "Read ~/store/a/prn_abcdefghijkl.txt by lines"]) {
      const ours = `${source}\n[rest: ${way}]`;
      expect(await handle(mcpEvent("mcp__files__fetch", [{ type: "text", text: ours }]))).toBeUndefined();
    }
    const two = [
      { type: "text", text: source },
      { type: "image", data: "" },
    ];
    expect(await handle(mcpEvent("mcp__files__fetch", two))).toBeUndefined();
  });

  it("an unknown shape passes through, and is reported once", async () => {
    const { handle, unknownShapes } = await start();
    const odd = { hook_event_name: "PostToolUse", tool_name: "Read", tool_input: {}, tool_response: "plain" };
    expect(await handle(odd)).toBeUndefined();
    expect(await handle(odd)).toBeUndefined();
    expect(unknownShapes).toEqual(["Read"]);
  });

  it("our own server may have two names: what either says is not cut again", async () => {
    const { handle } = await start();
    const own = { own_server: "pruner,jeeves" };
    const result = [{ type: "text", text: source }];
    for (const server of ["pruner", "jeeves"])
      expect(await handle({ ...mcpEvent(`mcp__${server}__recover_text`, result), ...own })).toBeUndefined();
    expect(await handle({ ...mcpEvent("mcp__text__fetch", result), ...own })).toBeDefined();
  });
});

describe("Codex", () => {
  /** As Codex 0.166 sends it: objects as they are. */
  const codexEvent = (response: unknown, more = {}) => ({
    ...mcpEvent("mcp__files__fetch", response),
    tool_use_id: "call_1",
    ...more,
  });
  const result = { content: [{ type: "text", text: source }] };
  const ask = async (event: Readonly<Record<string, unknown>>) => (await start()).handle(event, "codex-mcp-client");

  it("X-51 another server's text is said in the place of the result, within what Codex shows of it", async () => {
    const answer = await ask(codexEvent(result));
    if (answer?.kind !== "instead") throw new Error("nothing said");
    expect(answer.text).toContain(ANSWER);
    expect(answer.text).toMatch(/recover_text prn_[a-z2-7]{12}\]$/);
    expect(answer.text.length).toBeLessThanOrEqual(9_000);
    expect(toHookOutput(answer, "PostToolUse")).toEqual({ continue: false, stopReason: answer.text });
  });

  it("what a program of the model's has called goes to the program, and is left alone", async () => {
    expect(await ask(codexEvent(result, { tool_use_id: "exec-15d1de38" }))).toBeUndefined();
    expect(await ask(codexEvent(result, { tool_use_id: "" }))).toBeUndefined();
  });

  it("a structured result, a failed one and every other tool are left alone", async () => {
    expect(await ask(codexEvent({ ...result, structuredContent: { a: 1 } }))).toBeUndefined();
    expect(await ask(codexEvent({ ...result, isError: true }))).toBeUndefined();
    expect(await ask(codexEvent("plain"))).toBeUndefined();
    expect(await ask(codexEvent({ content: [...result.content, { type: "image" }] }))).toBeUndefined();
    expect(await ask(readEvent("/a.ts", source))).toBeUndefined();
  });

  it("X-52 where pruning has stopped, a long result is not shortened to say so", async () => {
    const { handle, env } = await start();
    const meter = createMeter(env);
    const about = { session: "s1", client: "codex", tool: "Bash", project: "", raw_tokens: 9, kept_tokens: 1 };
    for (const kind of ["cut", "recovered", "cut", "recovered", "cut", "recovered", "cut", "recovered"] as const)
      await meter.record({ kind, ...about });
    expect(await handle(codexEvent(result), "codex-mcp-client")).toBeUndefined();
  });
});

/** As Claude Code shows a file to its model. */
const numbered = (text: string) =>
  text
    .split("\n")
    .map((line, index) => `${index + 1}\t${line}`)
    .join("\n");

describe("what cuts are worth to a session", () => {
  const recover = (path: string) => readEvent(path, source, { offset: 1, limit: 1400 });

  it("X-56 cuts that cost more than they saved end, which is said once, and in no other session", async () => {
    const { handle, dir, meterKinds } = await start();
    const path = (n: number) => join(dir, `f${n}.ts`);
    for (let n = 0; n < 4; n++) {
      expect(await handle(readEvent(path(n), `${source}// ${n}\n`))).toBeDefined();
      for (let times = 0; times < 2; times++) expect(await handle(recover(path(n)))).toBeUndefined();
    }
    expect(await meterKinds()).toEqual(Array.from({ length: 4 }, () => ["cut", "recovered", "recovered"]).flat());
    const said = shownText(await handle(readEvent(path(5), source)));
    expect(said).toBe(
      `${source}[jeeves: cuts cost more than they saved; this session is no longer cut]`.replace(
        `${source}[`,
        source.endsWith("\n") ? `${source}[` : `${source}\n[`,
      ),
    );
    expect(await handle(readEvent(path(6), source))).toBeUndefined();
    expect((await meterKinds()).filter((kind) => kind === "stopped")).toHaveLength(1);
    expect(await handle({ ...readEvent(path(7), source), session_id: "s2" })).toBeDefined();
  });

  it("X-52 shadow lets everything through, and records what would have gone and what of it was used", async () => {
    const { handle, dir, meterKinds } = await start({ JEEVES_MODE: "shadow" });
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeUndefined();
    const used = { file_path: join(dir, "a.ts"), old_string: "  return done(12);", new_string: "  return done(13);" };
    await handle({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: used });
    expect(await meterKinds()).toEqual(["shadow", "missed"]);
  });

  it("X-52 shadow sees that lines of another server's text were used, and not what it would have kept", async () => {
    const { handle, dir, meterKinds } = await start({ JEEVES_MODE: "shadow" });
    await handle(mcpEvent("mcp__files__fetch", [{ type: "text", text: source }]));
    const edit = (old_string: string) =>
      handle({
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { file_path: join(dir, "b.ts"), old_string, new_string: "x" },
      });
    await edit(ANSWER);
    await edit("nowhere to be found");
    expect(await meterKinds()).toEqual(["shadow"]);
    await edit("  return done(12);");
    expect(await meterKinds()).toEqual(["shadow", "missed"]);
    const command = '*** Begin Patch\n@@\n-    log.write("row", row.id, 142);\n+    log.write(1);\n*** End Patch';
    await handle({ hook_event_name: "PreToolUse", tool_name: "apply_patch", tool_input: { command } }, "codex");
    expect(await meterKinds()).toEqual(["shadow", "missed", "missed"]);
  });

  it("X-52 a miss in shadow records what would have come back and the context at that moment, once", async () => {
    const { handle, dir, store, meterLines, transcript } = await start({ JEEVES_MODE: "shadow" });
    await handle(readEvent(join(dir, "a.ts"), source));
    const usage = { input_tokens: 5, cache_read_input_tokens: 41_000, output_tokens: 7 };
    const message = { role: "assistant", id: "m", model: "claude-x", content: [], usage };
    await appendFile(transcript, `${JSON.stringify({ type: "assistant", message })}\n`);
    const edit = (old_string: string) =>
      handle({
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { file_path: join(dir, "a.ts"), old_string, new_string: "x" },
      });
    await edit("  return done(12);");
    const [shadow, missed] = await meterLines();
    const { cut } = (await store.get(shadow?.prune_id ?? "")) ?? {};
    const line = source.split("\n").indexOf("  return done(12);") + 1;
    const [first, last] = parseCutRecord(cut, 1e9)?.blocks.find(([from, to]) => from <= line && line <= to) ?? [0, 0];
    const block = source.split("\n").slice(first - 1, last);
    expect(missed).toMatchObject({
      kind: "missed",
      raw_tokens: estimateTokens(block.join("\n")),
      context_tokens: 41_005,
    });
    expect(missed?.raw_tokens).toBeLessThan((shadow?.raw_tokens ?? 0) - (shadow?.kept_tokens ?? 0) + 1);
    // Another line of the same block would have been there by then.
    await edit(block.find((text) => text.includes("log.write")) ?? "");
    expect(await meterLines()).toHaveLength(2);
  });

  it("X-52 lines that another result of the session would have shown are not missed", async () => {
    const { handle, dir, meterKinds } = await start({ JEEVES_MODE: "shadow" });
    await handle(readEvent(join(dir, "a.ts"), source));
    const beside = source.replace(ANSWER, `${ANSWER}\n  return done(12);`);
    await handle(mcpEvent("mcp__files__fetch", [{ type: "text", text: beside }]));
    expect(await meterKinds()).toEqual(["shadow", "shadow"]);
    const used = { file_path: join(dir, "a.ts"), old_string: "  return done(12);", new_string: "x" };
    await handle({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: used });
    expect(await meterKinds()).toEqual(["shadow", "shadow"]);
  });

  it("X-52 shadow sees that lines of a command's output were used, which another process would have cut", async () => {
    const { handle, dir, env, cutter, meter, meterKinds } = await start({ JEEVES_MODE: "shadow" });
    const command = { command: "cat a.ts", text: source, exitCode: 0, client: "opencode" };
    const about = { session: "s1", project: dir, signal: new AbortController().signal };
    await cutCommandOutput({ ...command, ...about }, { cutter, meter, env });
    const used = { file_path: join(dir, "a.ts"), old_string: "  return done(12);", new_string: "x" };
    await handle({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: used });
    expect(await meterKinds()).toEqual(["shadow", "missed"]);
  });

  it("X-52 a cut says who, what, for what, from what to what, and how long it took", async () => {
    const { handle, dir, env } = await start({ JEEVES_RUN_ID: "run-7" });
    const shown = shownText(await handle({ ...readEvent(join(dir, "a.ts"), source), tool_use_id: "t1" }));
    const entries = [];
    for await (const entry of readMeter(env)) entries.push(entry);
    expect(entries).toEqual([
      {
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        kind: "cut",
        session: "s1",
        client: "claude-code",
        tool: "Read",
        project: dir,
        raw_tokens: estimateTokens(source),
        kept_tokens: estimateTokens(numbered(shown)),
        shown_tokens: estimateTokens(numbered(source)),
        way: "engine",
        prune_id: /prn_[a-z2-7]{12}/.exec(shown)?.[0],
        what: join(dir, "a.ts"),
        focus: QUESTION,
        ms: expect.any(Number),
        run_id: "run-7",
      },
    ]);
  });

  it("X-52 off does nothing at all", async () => {
    const { handle, dir, meterKinds } = await start({ JEEVES_MODE: "off" });
    expect(await handle(readEvent(join(dir, "a.ts"), source))).toBeUndefined();
    expect(await meterKinds()).toEqual([]);
  });

  it("two sessions at once do not mix", async () => {
    const { handle, dir } = await start();
    const [one, two] = await Promise.all([
      handle({ ...readEvent(join(dir, "a.ts"), source), session_id: "s1" }),
      handle({ ...readEvent(join(dir, "b.ts"), source), session_id: "s2" }),
    ]);
    expect([shownText(one), shownText(two)].every((text) => text.includes(ANSWER))).toBe(true);
  });
});
