// `recover_text`: exactly the lines, by any range, in this process and in the next.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, type Server, startServer, type Wire } from "../server-under-test.ts";
import { pythonModule, RETRY_QUESTION } from "../texts.ts";

let server: Server;
let pruneId: string;
const text = pythonModule().replaceAll("\n    return record\n", "\r\n    return 'é😀'\u2028\r\n");
const lines = text.slice(0, -1).split("\n");

beforeAll(async () => {
  server = await startServer();
  await writeFile(join(server.root, "orders.py"), text);
  const cut = await server.call("read", { file_path: "orders.py", context_focus_question: RETRY_QUESTION });
  pruneId = cut.structuredContent.pruning.prune_id;
});
afterAll(() => server.stop());

const recover = (args: Record<string, unknown>): Promise<Wire> =>
  server.call("recover_text", { prune_id: pruneId, ...args });

it("X-02 X-21 without ranges the text comes back byte for byte", async () => {
  const result = await recover({});
  expect(result.content).toEqual([{ type: "text", text }]);
  expect(result.structuredContent).toEqual({
    tool: "recover_text",
    prune_id: pruneId,
    ranges: [{ start_line: 1, end_line: lines.length }],
    content: text,
    duration_ms: expect.any(Number),
  });
});

it("X-02 X-48 ranges come in the order asked for, joined by \\n, with nothing after the last line", async () => {
  const result = await recover({
    ranges: [
      { start_line: 20, end_line: 22 },
      { start_line: 3, end_line: 3 },
    ],
  });
  expect(result.content[0].text).toBe([...lines.slice(19, 22), lines[2]].join("\n"));
});

it("X-02 a range past the end is clamped, line numbers on request", async () => {
  const last = lines.length;
  const result = await recover({ ranges: [{ start_line: last, end_line: last + 50 }], include_line_numbers: true });
  expect(result.content[0].text).toBe(`${last}│ ${lines.at(-1)}`);
  expect(result.structuredContent.ranges).toEqual([{ start_line: last, end_line: last }]);
});

it("every single line equals the file's", async () => {
  const step = 37;
  for (let line = 1; line <= lines.length; line += step) {
    const result = await recover({ ranges: [{ start_line: line, end_line: line }] });
    expect(result.content[0].text).toBe(lines[line - 1]);
  }
});

describe("X-02 failures are results, never JSON-RPC errors", () => {
  it.each([
    [[{ start_line: 5, end_line: 4 }]],
    [[{ start_line: 0, end_line: 4 }]],
    [[{ start_line: -2, end_line: -1 }]],
    [[{ start_line: 1_000_000, end_line: 1_000_001 }]],
    [[]],
  ])("invalid_range %j", async (ranges) => {
    const result = await recover({ ranges });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { tool: "recover_text", error: { code: "invalid_range" } },
    });
  });

  it("invalid_range for ranges that repeat the text without end", async () => {
    const ranges = Array.from({ length: 10_000 }, () => ({ start_line: 1, end_line: lines.length }));
    const result = await recover({ ranges });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "invalid_range" } } });
    expect(result.content[0].text).toMatch(/the ranges hold \d+ characters together\nat most \d+ at once/);
  });

  it.each(["prn_aaaaaaaaaaaa", "../../etc/passwd", "nonsense", "prn_/../../x"])("prune_id_not_found %s", async (id) => {
    const result = await recover({ prune_id: id });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "prune_id_not_found" } } });
    expect(result.content[0].text).toContain(id);
  });
});

it("X-21 another process brings it back, after the first was killed", async () => {
  const first = await startServer({ root: server.root, stateDir: server.stateDir });
  await writeFile(join(server.root, "other.py"), pythonModule(90));
  const cut = await first.call("read", { file_path: "other.py", context_focus_question: RETRY_QUESTION });
  first.child.kill("SIGKILL");
  await first.exit;
  const second = await startServer({ root: server.root, stateDir: server.stateDir });
  const back = await second.call("recover_text", { prune_id: cut.structuredContent.pruning.prune_id });
  expect(back.content[0].text).toBe(pythonModule(90));
  await second.stop();
});

it("X-21 raw texts are plain files, 0600", async () => {
  const { stdout } = (
    await server.call("bash", { command: `grep -rl 'exponential backoff' '${server.stateDir}' | xargs stat -c '%a'` })
  ).structuredContent;
  expect(new Set(stdout.trim().split("\n"))).toEqual(new Set(["600"]));
});

it("X-21 where the state directory cannot be written, TMPDIR is used, and found again", async () => {
  const tmp = await makeTempDir();
  const env = { JEEVES_STATE_DIR: "/proc/nowhere", TMPDIR: tmp.path };
  const own = await startServer({ root: server.root, env });
  const cut = await own.call("read", { file_path: "orders.py", context_focus_question: RETRY_QUESTION });
  expect(cut.structuredContent.pruning).toMatchObject({ applied: true });
  expect(await readdir(tmp.path)).toEqual([`jeeves-${process.getuid?.()}`]);
  const again = await startServer({ root: server.root, env });
  const back = await again.call("recover_text", { prune_id: cut.structuredContent.pruning.prune_id });
  expect(back.content[0].text).toBe(text);
  await own.stop();
  await again.stop();
  await tmp.remove();
});

it("X-21 a store past its limit lets the oldest go, and says prune_id_not_found for it", async () => {
  const small = await startServer({ env: { JEEVES_STORE_MAX_BYTES: String(text.length * 3) } });
  await mkdir(join(small.root, "many"));
  const ids: string[] = [];
  for (let index = 0; index < 8; index++) {
    await writeFile(join(small.root, "many", `${index}.py`), `# ${index}\n${text}`);
    const cut = await small.call("read", { file_path: `many/${index}.py`, context_focus_question: RETRY_QUESTION });
    ids.push(cut.structuredContent.pruning.prune_id);
  }
  expect((await small.call("recover_text", { prune_id: ids[0] })).structuredContent.error.code).toBe(
    "prune_id_not_found",
  );
  expect((await small.call("recover_text", { prune_id: ids[7] })).content[0].text).toBe(`# 7\n${text}`);
  await small.stop();
});

it("X-51 pages are cut to what the client displays, and name the next range", async () => {
  const codex = await startServer({ root: server.root, stateDir: server.stateDir, clientName: "codex-mcp-client" });
  const pages: string[] = [];
  let ranges: Wire;
  for (let count = 0; count < 40; count++) {
    const result = await codex.call("recover_text", { prune_id: pruneId, ...(ranges === undefined ? {} : { ranges }) });
    const shown = result.content.map((item: Wire) => item.text).join("\n");
    expect(shown.length).toBeLessThanOrEqual(12_000);
    pages.push(result.content[0].text);
    const next = /lines (\d+)-(\d+)\]$/.exec(result.content[1]?.text ?? "");
    if (next === null) break;
    ranges = [{ start_line: Number(next[1]), end_line: Number(next[2]) }];
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(`${pages.join("\n")}\n`).toBe(text);
  await codex.stop();
});

it.each([false, true])(
  "X-51 a line that no page could show is cut, and its file named (numbered: %s)",
  async (numbered) => {
    const codex = await startServer({ clientName: "codex-mcp-client" });
    const line = `x${"😀".repeat(10_000)}`;
    await writeFile(join(codex.root, "long.txt"), `${line}\nshort\n`);
    const cut = await codex.call("read", { file_path: "long.txt" });
    const prune_id = /prn_\w+/.exec(cut.content[0].text)?.[0];
    const back = await codex.call("recover_text", { prune_id, include_line_numbers: numbered });
    const [shown, whole, next] = back.content.map((item: Wire) => item.text);
    const prefix = numbered ? "1│ " : "";
    expect(shown.length).toBeLessThanOrEqual(10_800);
    expect(shown.length).toBeGreaterThan(10_700);
    expect(shown).toBe(prefix + line.slice(0, shown.length - prefix.length));
    expect(shown.isWellFormed()).toBe(true);
    const [, chars, path = "", from, to] =
      /^\[line 1: (\d+) of 20001 characters; the whole line: (.*); next: chars (\d+)-(\d+)\]$/.exec(whole) ?? [];
    expect(Number(chars)).toBe(shown.length - prefix.length);
    expect(await readFile(path, "utf8")).toBe(line);
    expect([Number(from), Number(to)]).toEqual([Number(chars) + 1, line.length]);
    const end = await codex.call("recover_text", { prune_id, chars: `${from}-${to}` });
    expect(end.content.map((item: Wire) => item.text)).toEqual([line.slice(Number(chars))]);
    const page = await codex.call("recover_text", { prune_id, chars: `2-${to}` });
    const [more, way] = page.content.map((item: Wire) => item.text);
    expect(more).toBe(line.slice(1, 1 + more.length));
    expect(way).toBe(`[next: recover_text ${prune_id} chars ${2 + more.length}-${to}]`);
    const past = await codex.call("recover_text", { prune_id, chars: "20099-20100" });
    expect(past.content[0].text).toContain("chars 20099-20100 are no range of a text of 20008 characters");
    expect(next).toBe(`[next: recover_text ${prune_id} lines 2-2]`);
    const rest = await codex.call("recover_text", { prune_id, ranges: [{ start_line: 2, end_line: 2 }] });
    expect(rest.content.map((item: Wire) => item.text)).toEqual(["short"]);
    await codex.stop();
  },
);

it("a stored text that was tampered with is not handed out as exact", async () => {
  const own = await startServer();
  await writeFile(join(own.root, "orders.py"), text);
  const cut = await own.call("read", { file_path: "orders.py", context_focus_question: RETRY_QUESTION });
  await own.call("bash", {
    command: `grep -rl 'exponential backoff' '${own.stateDir}' | xargs sed -i s/exponential/linear/`,
  });
  const back = await own.call("recover_text", { prune_id: cut.structuredContent.pruning.prune_id });
  expect(back.structuredContent.error.code).toBe("prune_id_not_found");
  await rm(join(own.root, "orders.py"));
  await own.stop();
});
