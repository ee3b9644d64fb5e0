// The replay bench on sessions of one's own, as a child: its figures are the ones that the README quotes.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const dir = mkdtempSync(join(tmpdir(), "jeeves-replay-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const script = fileURLToPath(new URL("../bench/replay/replay.mjs", import.meta.url));
const replay = (...options: string[]) =>
  spawnSync(process.execPath, [script, ...options], { encoding: "utf8", timeout: 120_000 });
const toLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const file = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};

const printed = [
  ...Array.from({ length: 900 }, (_, i) => `  ok ${i + 1} module_${i % 7} handles case ${i} in ${i % 13} ms`),
  "  not ok 901 the invoice total was 41.5 and should be 42",
  "FAILED (failures=1)",
].join("\n");
const runOf = (edit: string) => [
  { run: "one", prompt: "Mend the invoice." },
  { thought: "Let me run the tests.", command: "npm test", output: printed, exit_code: 1 },
  { thought: "Now I change it.", command: edit, output: "" },
  ...Array.from({ length: 30 }, (_, i) => ({ thought: `Step ${i}.`, command: "true", output: "" })),
];

/** Claude Code reads a file of 700 lines, edits one line of it, and goes on. */
function claudeSession(): object[] {
  const content = Array.from({ length: 700 }, (_, i) => `export const setting_${i} = loadSetting("${i}", ${i});`);
  const file = { filePath: "/project/settings.ts", content: content.join("\n"), startLine: 1, numLines: 700 };
  let cached = 20_000;
  const call = (n: number, block: object) => {
    const usage = { cache_read_input_tokens: cached, cache_creation_input_tokens: 500, output_tokens: 50 };
    cached += n === 1 ? 15_000 : 500;
    const message = { role: "assistant", id: `msg_${n}`, model: "claude-x", content: [block], usage };
    return { type: "assistant", sessionId: "s", message };
  };
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const result = (id: string, text: string, toolUseResult: object) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
    toolUseResult,
  });
  const shown = content.map((line, i) => `${i + 1}→${line}`).join("\n");
  const edit = { file_path: file.filePath, old_string: content[350], new_string: "export const setting = 1;" };
  return [
    { type: "user", sessionId: "s", message: { role: "user", content: "Change one of the settings." } },
    call(1, use("t1", "Read", { file_path: file.filePath })),
    result("t1", shown, { type: "text", file: { ...file, totalLines: 700 } }),
    call(2, use("t2", "Edit", edit)),
    result("t2", "done", { filePath: file.filePath }),
    ...Array.from({ length: 30 }, (_, i) => call(3 + i, { type: "text", text: `Step ${i}.` })),
  ];
}

/** Codex runs a test under its shell, then a script of code mode that waits for another one. */
function codexSession(): object[] {
  const record = (type: string, payload: object) => ({ timestamp: "2026-11-01T10:00:00Z", type, payload });
  const count = (n: number) =>
    record("event_msg", {
      type: "token_count",
      info: {
        last_token_usage: { input_tokens: 20_000 + n * 9_000, cached_input_tokens: 20_000, output_tokens: 60 },
        total_token_usage: { total_tokens: (n + 1) * 20_000 },
      },
    });
  const item = (payload: object) => record("response_item", payload);
  return [
    record("session_meta", { id: "11111111-2222-3333-4444-555555555555", cwd: "/project" }),
    record("turn_context", { model: "gpt-5.5", cwd: "/project" }),
    item({ type: "message", role: "user", content: [{ type: "input_text", text: "Mend the invoice." }] }),
    item({ type: "function_call", call_id: "c1", name: "exec_command", arguments: '{"cmd":"npm test"}' }),
    count(0),
    item({
      type: "function_call_output",
      call_id: "c1",
      output: `Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 1\nOutput:\n${printed}`,
    }),
    item({
      type: "custom_tool_call",
      call_id: "c2",
      name: "exec",
      input: 'const r = await tools.exec_command({cmd: "cargo test"}); text(JSON.stringify(r));',
    }),
    count(1),
    item({
      type: "custom_tool_call_output",
      call_id: "c2",
      output: [{ type: "input_text", text: '{"chunk_id":"a","session_id":77,"output":"Compiling invoice"}' }],
    }),
    item({ type: "function_call", call_id: "c3", name: "write_stdin", arguments: '{"session_id":77,"chars":""}' }),
    count(2),
    item({
      type: "function_call_output",
      call_id: "c3",
      output: `Chunk ID: 2\nProcess exited with code 101\nOutput:\n${printed.replaceAll("module", "crate")}`,
    }),
    ...Array.from({ length: 20 }, (_, i) => [
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: `Step ${i}.` }] }),
      count(3 + i),
    ]).flat(),
  ];
}

describe("replay", () => {
  it("X-56 runs in the simple form go through the command door, and a used line that is kept costs nothing", () => {
    const runs = file("runs.jsonl", toLines(runOf("sed -i 's/41.5/42/' src/invoice.ts")));
    const done = replay("--runs", runs, "--json");
    expect(done.stderr).toBe("");
    const { policy, sessions, clients } = JSON.parse(done.stdout);
    expect([policy, sessions]).toEqual(["careful", 1]);
    const { byTool, net, bill, calls } = clients["claude-code"];
    expect(calls).toBe(32);
    expect(byTool["Bash test"]).toMatchObject({ outputs: 1, cuts: 1, asked: 0 });
    expect(net.once.ofAll).toBeGreaterThan(0.1);
    expect(net.once).toEqual(net.each);
    expect(net.perfect.ofAll).toBeGreaterThanOrEqual(net.once.ofAll);
    const parts = bill.starting + bill.misses + bill.output + bill.rest + bill.results.Bash;
    expect(parts).toBeCloseTo(bill.total);
  });

  it("X-56 a line that was dropped and is quoted later is charged as one more turn", () => {
    const quoted = printed.split("\n")[450] ?? "";
    const charged = (edit: string) => {
      const runs = file("quoted.jsonl", toLines(runOf(edit)));
      return JSON.parse(replay("--runs", runs, "--json").stdout).clients["claude-code"];
    };
    const [none, one] = [charged("true"), charged(`echo '${quoted.trim()}' >> notes.txt`)];
    expect(none.all).toMatchObject({ cuts: 1, asked: 0, used: 0 });
    expect(one.all).toMatchObject({ cuts: 1, asked: 1, used: 1, usedKept: 0 });
    expect(one.net.once.ofAll).toBeLessThan(none.net.once.ofAll);
    expect(one.net.traced.ofAll).toBe(one.net.once.ofAll);
    expect(none.net.traced.ofAll).toBe(0);
  });

  it("X-57 transcripts of Claude Code and Codex are told apart by what they hold, whatever their names", () => {
    const folder = join(dir, "transcripts");
    mkdirSync(join(folder, "below"), { recursive: true });
    writeFileSync(join(folder, "a.jsonl"), toLines(claudeSession()));
    writeFileSync(join(folder, "below", "b.jsonl"), toLines(codexSession()));
    writeFileSync(join(folder, "c.jsonl"), '{"neither": true}\n');
    writeFileSync(join(folder, "d.jsonl"), "");
    const done = replay("--transcripts", folder, "--json");
    expect(done.stderr).toContain("c.jsonl: no transcript of Claude Code or Codex");
    expect(done.stderr).toContain("d.jsonl: empty");
    const { sessions, leftOut, clients } = JSON.parse(done.stdout);
    expect([sessions, leftOut]).toEqual([2, 2]);
    const { "claude-code": claude, codex } = clients;
    expect(claude.byTool["Read read"]).toMatchObject({ outputs: 1, cuts: 1, used: 1 });
    expect(claude.byTool["Read read"].asked).toBe(1 - claude.byTool["Read read"].usedKept);
    expect(codex.byTool["exec_command test"]).toMatchObject({ outputs: 1, cuts: 1 });
    // What a running command prints later is its own.
    expect(codex.byTool["write_stdin test"]).toMatchObject({ outputs: 1, cuts: 1 });
    expect(codex.bill.results.exec_command).toBeGreaterThan(0);
  });

  it("X-56 names what is wrong with a file or an option, and prints its usage", () => {
    const bad = file("bad.jsonl", toLines([{ run: "one" }, { thought: "x", command: "y" }]));
    const refused = (...options: string[]) => {
      const { status, stderr } = replay(...options);
      expect(status).not.toBe(0);
      return stderr;
    };
    expect(refused("--runs", bad)).toContain("bad.jsonl:2: output is missing or not a string");
    expect(refused("--runs", join(dir, "missing.jsonl"))).toContain("missing.jsonl");
    expect(refused("--transcripts", join(dir, "missing"))).toContain("no such file or folder");
    expect(refused("--transcripts", file("empty.jsonl", ""))).toContain("empty.jsonl: empty");
    expect(refused("--runs", file("none.jsonl", ""))).toContain("no session to replay");
    for (const options of [[], ["--policy", "bold", "--runs", bad], ["--limit", "x", "--runs", bad], ["--wrong"]])
      expect(refused(...options)).toContain("npm run bench -- replay");
    const help = replay("--help");
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("--transcripts");
  });
});
