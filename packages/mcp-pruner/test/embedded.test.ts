// The embedded engine behind the tools: what the model is shown, what the metadata say, and when it leaves a text alone.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer, type Wire } from "./server-under-test.ts";
import { pythonModule, RETRY_DELAY, RETRY_QUESTION } from "./texts.ts";

const MARKER = /^⟦… (\d+) lines? (\d+)(?:-(\d+))?⟧$/;
const text = pythonModule();
const lines = text.slice(0, -1).split("\n");
const ask = { file_path: "orders.py", context_focus_question: RETRY_QUESTION };

let server: Server;
beforeAll(async () => {
  server = await startServer();
  await writeFile(join(server.root, "orders.py"), text);
});
afterAll(() => server.stop());

/** Every kept line stands where the markers before it say: kept + markers is the whole text, in order. */
function expectFaithful(shown: string, original: readonly string[]): number {
  let next = 0;
  let dropped = 0;
  for (const line of shown.replace(/\n$/, "").split("\n")) {
    const marker = MARKER.exec(line);
    if (marker === null) expect(line).toBe(original[next++]);
    else {
      expect(Number(marker[2])).toBe(next + 1);
      next = Number(marker[3] ?? marker[2]);
      dropped += Number(marker[1]);
    }
  }
  expect(next).toBe(original.length);
  return dropped;
}

describe("X-20 what is shown", () => {
  it("X-19 read from a line on: markers number what was read, and an item of its own says where that begins", async () => {
    const own = await startServer({ root: server.root });
    const { content, structuredContent } = await own.call("read", { ...ask, start_line: 11 });
    expectFaithful(structuredContent.content, lines.slice(10));
    expect(content.map((item: Wire) => item.text).slice(1)).toEqual(["[line 1 of this is line 11 of the file]"]);
    await own.stop();
  });

  it("J-62 X-03 read: the lines that answer, markers numbered as in the file, one last line", async () => {
    const own = await startServer({ root: server.root });
    const result = await own.call("read", ask);
    const { content, pruning, bytes } = result.structuredContent;
    expect(content).toContain(RETRY_DELAY.trimEnd());
    expect(expectFaithful(content, lines)).toBeGreaterThan(lines.length / 2);
    expect(pruning).toEqual({
      attempted: true,
      applied: true,
      fallback: false,
      engine: "embedded",
      prune_id: expect.stringMatching(/^prn_[a-z0-9]{12}$/),
      raw_bytes: Buffer.byteLength(text),
      pruned_bytes: Buffer.byteLength(content),
      pruner_duration_ms: expect.any(Number),
    });
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(result.content).toHaveLength(1);
    const shown: string = result.content[0].text;
    expect(shown.startsWith(content)).toBe(true);
    const lastLine = shown.slice(shown.lastIndexOf("\n") + 1);
    expect(lastLine).toContain(pruning.prune_id);
    expect(encode(shown).length).toBeLessThan(encode(text).length * 0.75);
    await own.stop();
  });

  it("bash: both streams are pruned, numbered as one text, with no block across the two", async () => {
    await writeFile(
      join(server.root, "err.txt"),
      Array.from(
        { length: 400 },
        (_, index) => `note ${index}: nothing to see in the ${index % 7} th part of it\n`,
      ).join(""),
    );
    const command = "cat orders.py; cat err.txt >&2";
    const result = await server.call("bash", { command, context_focus_question: RETRY_QUESTION });
    const { stdout, stderr, pruning } = result.structuredContent;
    expect(pruning).toMatchObject({
      applied: true,
      raw_bytes: Buffer.byteLength(text),
      pruned_bytes: Buffer.byteLength(stdout),
    });
    expect(stdout).toContain("def retry_delay");
    expectFaithful(stdout, lines);
    const first = MARKER.exec(stderr.split("\n").find((line: string) => MARKER.test(line)) ?? "");
    expect(Number(first?.[2])).toBeGreaterThan(lines.length);
    const back = await server.call("recover_text", { prune_id: pruning.prune_id });
    expect(back.content[0].text).toBe(
      (await server.call("bash", { command: "cat orders.py err.txt" })).structuredContent.stdout,
    );
    expect(result.content[0].text).toContain("\n[stderr]\n");
  });

  it("grep: a dropped line is a dropped match; matches carry no marker, the text does", async () => {
    const result = await server.call("grep", {
      pattern: "d",
      path: "orders.py",
      max_matches: 900,
      context_focus_question: RETRY_QUESTION,
    });
    const { matches, match_count, pruning } = result.structuredContent;
    expect(pruning).toMatchObject({ applied: true, engine: "embedded" });
    expect(matches.length).toBeLessThan(match_count);
    expect(matches.map((match: Wire) => match.text)).toContain("def retry_delay(attempt, base=0.25, ceiling=30.0):");
    const shown: string[] = result.content[0].text.split("\n").slice(0, -3);
    expect(shown.filter((line) => !MARKER.test(line))).toEqual(
      matches.map((match: Wire) => `${match.path}:${match.line}:${match.column}:${match.text}`),
    );
    expect(shown.some((line) => MARKER.test(line))).toBe(true);
    const back = await server.call("recover_text", { prune_id: pruning.prune_id });
    expect(back.content[0].text.split("\n")).toHaveLength(match_count);
  });

  it("X-21 the same call in another process gives the same id and the same bytes", async () => {
    const [one, two] = await Promise.all([startServer({ root: server.root }), startServer({ root: server.root })]);
    const first = await one.call("read", ask);
    const second = await two.call("read", ask);
    expect(second.content).toEqual(first.content);
    await one.stop();
    await two.stop();
  });

  it("X-06 a failing command's output is pruned too, and every error stays", async () => {
    const script = `
      for i in $(seq 1 900); do echo "compiling module number $i of the whole project, please wait"; done
      echo "ERROR: cannot resolve symbol frobnicate in src/deep/place.c:42"
      for i in $(seq 1 900); do echo "linking object file number $i into the archive, please wait"; done
      exit 7`;
    const result = await server.call("bash", { command: script, context_focus_question: "why does the build fail?" });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      error: { code: "nonzero_exit", exit_code: 7 },
      pruning: { applied: true },
    });
    expect(result.content[0].text).toContain("ERROR: cannot resolve symbol frobnicate in src/deep/place.c:42");
    expect(result.content[0].text).toContain("[exit code: 7]");
    expect(result.structuredContent.stdout.length).toBeLessThan(20_000);
  });
});

describe("X-18 what each client's model sees", () => {
  it.each(["claude-code", "codex-mcp-client"])("%s gets the plain text, the object under _meta", async (clientName) => {
    const own = await startServer({ root: server.root, clientName });
    const result = await own.call("read", ask);
    expect(result).not.toHaveProperty("structuredContent");
    expect(result.content[0].text).toContain("def retry_delay");
    expect(result._meta["jeeves/result"]).toMatchObject({ tool: "read", pruning: { applied: true } });
    await own.stop();
  });

  it("JEEVES_RESULT_FORM decides for anyone", async () => {
    const own = await startServer({
      root: server.root,
      clientName: "claude-code",
      env: { JEEVES_RESULT_FORM: "both" },
    });
    expect(await own.call("read", ask)).toHaveProperty("structuredContent");
    await own.stop();
  });

  it("X-51 nothing is larger than what its client displays, and the cut names the way on", async () => {
    const own = await startServer({ root: server.root, clientName: "codex-mcp-client" });
    const whole = await own.call("read", { file_path: "orders.py" });
    const shown: string = whole.content[0].text;
    expect(shown.length).toBeLessThanOrEqual(10_800);
    const id = /recover_text (prn_[a-z0-9]{12})\]$/.exec(shown)?.[1];
    const marker = MARKER.exec(shown.split("\n").at(-2) ?? "");
    expect(Number(marker?.[3])).toBe(lines.length);
    const next = Number(marker?.[2]);
    const back = await own.call("recover_text", { prune_id: id, ranges: [{ start_line: next, end_line: next + 5 }] });
    expect(back.content[0].text).toBe(lines.slice(next - 1, next + 5).join("\n"));
    expect((await own.call("read", ask)).content[0].text.length).toBeLessThanOrEqual(10_800);
    const command = await own.call("bash", { command: "cat orders.py; echo and then it failed; exit 1" });
    expect(command.content[0].text.length).toBeLessThanOrEqual(10_800);
    expect(command.content[0].text).toContain("Order handling");
    expect(command.content[0].text).toContain("and then it failed\n[exit code: 1]");
    await own.stop();
  });

  it("X-51 JEEVES_MAX_RESULT_CHARS overrides, one very long line included", async () => {
    const own = await startServer({ env: { JEEVES_MAX_RESULT_CHARS: "5000" } });
    await writeFile(join(own.root, "wide.json"), `{"a":"${"😀".repeat(20_000)}"}`);
    const result = await own.call("read", { file_path: "wide.json" });
    expect(result.content[0].text.length).toBeLessThanOrEqual(4_500);
    expect(result.content[0].text).toMatch(/recover_text prn_/);
    expect(result.content[0].text.isWellFormed()).toBe(true);
    await own.stop();
  });
});

describe("X-23 gates", () => {
  const pruningOf = async (tool: string, args: Record<string, unknown>) => {
    const result = await server.call(tool, { context_focus_question: RETRY_QUESTION, ...args });
    return result.structuredContent.pruning;
  };
  const before = { attempted: false, applied: false, fallback: false, engine: "embedded" };

  it("too_small: under 1,500 tokens", async () => {
    await writeFile(join(server.root, "small.py"), pythonModule(8));
    expect(await pruningOf("read", { file_path: "small.py" })).toMatchObject({ ...before, reason: "too_small" });
  });

  it("never_pruned: a diff, whatever the command", async () => {
    const hunk = `@@ -1,4 +1,4 @@ def f():\n${text}`;
    for (const [name, content] of [
      ["a.diff", `diff --git a/x b/x\n${text}`],
      ["b.txt", `Index: x\n${hunk}`],
    ] as const) {
      await writeFile(join(server.root, name), content);
      expect(await pruningOf("bash", { command: `cat ${name}` })).toMatchObject({ ...before, reason: "never_pruned" });
    }
  });

  it("repeat: the same call again gets the raw text", async () => {
    await writeFile(join(server.root, "again.py"), text);
    expect(await pruningOf("read", { file_path: "again.py" })).toMatchObject({ applied: true });
    const again = await server.call("read", { file_path: "again.py", context_focus_question: RETRY_QUESTION });
    expect(again.structuredContent).toMatchObject({ content: text, pruning: { ...before, reason: "repeat" } });
    expect(
      await pruningOf("read", { file_path: "again.py", context_focus_question: "where is json loaded?" }),
    ).not.toMatchObject({ reason: "repeat" });
  });

  it("no_gain: known only afterwards", async () => {
    const needle = Array.from(
      { length: 60 },
      (_, index) => `  jitter backoff retry delay attempt exponential wait seconds ${index * 7919}\n`,
    ).join("");
    await writeFile(join(server.root, "dense.txt"), `⟦NO_PRUNE_BEGIN⟧\n${needle.repeat(4)}⟦NO_PRUNE_END⟧\n`);
    const pruning = await pruningOf("read", { file_path: "dense.txt" });
    expect(pruning).toMatchObject({ attempted: true, applied: false, fallback: true, reason: "no_gain" });
    expect(pruning).not.toHaveProperty("error");
  });

  it("X-03 PRUNER_ENGINE=embedded prunes without a URL", async () => {
    const own = await startServer({ root: server.root, env: { PRUNER_URL: "" } });
    expect((await own.call("read", ask)).structuredContent.pruning).toMatchObject({
      applied: true,
      engine: "embedded",
    });
    await own.stop();
  });

  it("X-21 store_unavailable: what cannot be stored is not dropped", async () => {
    const own = await startServer({
      root: server.root,
      env: { JEEVES_STATE_DIR: "/proc/nowhere", TMPDIR: "/proc/nowhere" },
    });
    const result = await own.call("read", ask);
    expect(result.content[0].text).toBe(text);
    expect(result.structuredContent.pruning).toMatchObject({
      attempted: true,
      applied: false,
      fallback: true,
      reason: "store_unavailable",
    });
    await own.stop();
  });
});
