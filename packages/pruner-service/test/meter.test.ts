// What the other parts learn of the text pruner's calls: one line in the meter for each, and a record beside the text.
import { parseCutRecord, readMeter } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pruneArgs, type Service, startService, type Wire } from "./service-under-test.ts";

const QUESTION = "how is the listening port chosen?";
const text = Array.from({ length: 60 }, (_, n) => {
  const body = Array.from(
    { length: 8 },
    (_, i) => `  row.field${i} = convert(row.field${i}, ${n}, "step ${i}");\n`,
  ).join("");
  return n === 30 ? "function chooseListeningPort() {\n  return 8006;\n}\n" : `function handle${n}(row) {\n${body}}\n`;
}).join("\n");
const lineCount = text.split("\n").length - 1;

let service: Service;
let lines: readonly Wire[];
let ids: readonly string[];
const foreign: Wire[] = [];
const toCall = (name: string, args: unknown) => {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
};
beforeAll(async () => {
  service = await startService();
  const first = await service.tool("prune_text", pruneArgs(text, QUESTION));
  const second = await service.prune({ query: QUESTION, code: text, max_prune_ratio: 0.6 });
  const range = { start_line: 1, end_line: 3 };
  await service.tool("recover_text", { prune_id: first.prune_id, ranges: [range], include_line_numbers: false });
  // A proxy may act for anyone: its calls are answered and not counted.
  const headers = { "content-type": "application/json", "x-forwarded-for": "192.0.2.1" };
  const recovery = { prune_id: first.prune_id, ranges: [range], include_line_numbers: false };
  for (const [path, body] of [
    ["/prune", { query: QUESTION, code: text, max_prune_ratio: 0.5 }],
    ["/rpc", toCall("prune_text", pruneArgs(text, `${QUESTION} again`))],
    ["/rpc", toCall("recover_text", recovery)],
  ] as const) {
    const answer = await fetch(`${service.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const json: Wire = await answer.json();
    foreign.push({ status: answer.status, error: json.error });
  }
  ids = [first.prune_id, second.headers.get("jeeves-prune-id") ?? ""];
  // At once: the answers do not wait for their lines, the end of the service does.
  await service.kill("SIGTERM");
  const found: Wire[] = [];
  for await (const line of readMeter(env())) found.push(line);
  lines = found;
});
afterAll(() => service.stop());
const env = () => ({ HOME: service.stateDir, JEEVES_STATE_DIR: service.stateDir, TMPDIR: service.stateDir });

it("X-52 prune_text, /prune and recover_text write one line each, with the fields of every other call", () => {
  const about = { session: "", client: "", project: "", ms: expect.any(Number), ts: expect.any(String) };
  const sizes = { raw_tokens: expect.any(Number), kept_tokens: expect.any(Number) };
  const cut = { kind: "cut", ...about, ...sizes, shown_tokens: expect.any(Number), way: "engine", focus: QUESTION };
  expect(lines).toHaveLength(3);
  expect(lines).toEqual(
    expect.arrayContaining([
      { ...cut, tool: "prune_text", prune_id: ids[0] },
      { ...cut, tool: "/prune", prune_id: ids[1] },
      { ...about, ...sizes, kind: "recovered", tool: "recover_text", prune_id: ids[0], what: "lines 1-3" },
    ]),
  );
  for (const { kind, raw_tokens, kept_tokens } of lines)
    if (kind === "cut") expect(kept_tokens).toBeLessThan(raw_tokens);
});

it("X-55 calls that are not proven to be the owner's are answered, and not in the meter", () => {
  expect(foreign.map(({ status, error }) => [status, error])).toEqual(Array(3).fill([200, undefined]));
  expect(lines).toHaveLength(3);
});

it("K-08 the stored text has the record of its cut: blocks with their labels, and why lines stayed", async () => {
  const store = createDiskStore({ env: env() });
  for (const id of ids) {
    const record = parseCutRecord((await store.get(id))?.cut, lineCount);
    const covered = [...(record?.blocks ?? []), ...(record?.why ?? [])];
    expect(covered.reduce((sum, [first, last]) => sum + last - first + 1, 0)).toBe(lineCount);
    expect(record?.blocks.map(([, , label]) => label).join()).toContain("handle");
    expect(record?.why.map(([, , why]) => why)).toContain("evidence");
  }
});
