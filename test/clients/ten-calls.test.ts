// Ten calls in the real clients, with and without us: what reached the model, what the meter has about it, and whether
// every failure can be seen. The table is printed; what models get is compared with the texts in fixtures/
// (UPDATE_FIXTURES=1 writes them anew).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { VERSIONS } from "./claude-code.ts";
import {
  CALLS,
  type Call,
  type CallRow,
  claudeCalls,
  codexCalls,
  runTenCalls,
  type TenCallsClient,
} from "./ten-calls.ts";
import { NEW_FAILURE, PAGE_FAILURE, TEST_FAILURES } from "./ten-calls-project.ts";

interface Case {
  readonly name: string;
  readonly client: TenCallsClient;
  /** The texts that its model gets, by fixture. */
  readonly fixtures: Readonly<Partial<Record<Call, string>>>;
  /** A result that no hook of ours can reach: it goes to a program of the model's. */
  readonly outOfReach?: Call;
}

const CLAUDE = { "whole Read": "claude-outline-read", "failing test": "claude-failing-test", grep: "claude-grep" };
const CASES: readonly Case[] = [
  ...VERSIONS.map((version) => ({
    name: `Claude Code ${version.version}`,
    client: claudeCalls(version),
    fixtures: CLAUDE,
  })),
  {
    name: "Codex, direct mode",
    client: codexCalls("direct"),
    fixtures: { "failing test": "codex-failing-test", grep: "codex-grep" },
  },
  { name: "Codex, code mode", client: codexCalls("code"), fixtures: {}, outOfReach: "MCP page" },
];

/** The meter may be off by a tenth of the difference, or by so many tokens where there is hardly any. */
const SHARE = 0.1;
const TOKENS = 40;

describe.each(CASES)("$name", ({ name, client, fixtures, outOfReach }) => {
  let rows: readonly CallRow[] = [];
  const textOf = (call: Call) => rows.find((row) => row.call === call)?.text ?? "";

  beforeAll(async () => {
    rows = await runTenCalls(client);
    console.log(tableOf(name, rows));
  });

  it.each(CALLS)("X-57 %s: the meter is within a tenth of what reached the model", (call) => {
    const { bare = 0, ours = 0, metered = 0 } = rows.find((row) => row.call === call) ?? {};
    const real = bare - ours;
    expect(ours).toBeGreaterThan(0);
    expect(Math.abs(metered - real)).toBeLessThanOrEqual(Math.max(TOKENS, Math.abs(real) * SHARE));
  });

  it("X-57 in all, less than 70 % of the tokens reach the model", () => {
    const sum = (key: "bare" | "ours") => rows.reduce((tokens, row) => tokens + row[key], 0);
    expect(sum("ours")).toBeLessThan(sum("bare") * 0.7);
  });

  it("X-59 every failure is to be seen: of the test, of the rerun, of the page", () => {
    for (const line of TEST_FAILURES) expect(textOf("failing test")).toContain(line);
    const rerun = textOf("rerun of the test");
    expect(rerun).toContain(NEW_FAILURE);
    // Those that the session has seen may be counted instead.
    if (!/\b3 failures as before/.test(rerun)) for (const line of TEST_FAILURES) expect(rerun).toContain(line);
    if (outOfReach !== "MCP page") expect(textOf("MCP page")).toContain(PAGE_FAILURE);
  });

  it.each(Object.entries(fixtures))("%s: the model gets what the fixture %s says", (call, fixture) => {
    const file = fileURLToPath(new URL(`fixtures/${fixture}.txt`, import.meta.url));
    const text = `${textOf(call as Call)}\n`;
    if (process.env.UPDATE_FIXTURES) {
      mkdirSync(fileURLToPath(new URL("fixtures", import.meta.url)), { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, "utf8"));
  });
});

function tableOf(name: string, rows: readonly CallRow[]): string {
  const cells = rows.map(({ call, bare, ours, metered }) => [call, bare, ours, bare - ours, metered].map(String));
  const all = [[name, "bare", "ours", "saved", "metered"], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((row) => row.map(pad).join("  ")).join("\n");
}
