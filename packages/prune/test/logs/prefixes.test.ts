// a failure is found whatever another program printed before each line of the one that failed.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prune } from "../../src/index.ts";
import { splitLines } from "../../src/text/lines.ts";
import { withoutPrefixes } from "../../src/text/prefixes.ts";

const PREFIXED: Readonly<Record<string, (line: string, i: number) => string>> = {
  "GitHub Actions": (line, i) => `2024-05-01T12:00:${String(i % 60).padStart(2, "0")}.1234567Z ${line}`,
  GitLab: (line, i) => `2026-11-18T07:00:${String(i % 60).padStart(2, "0")}.123456Z 01O ${line}`,
  "minutes and a name": (line, i) => `[07:${String(i % 60).padStart(2, "0")}] [ci] ${line}`,
  "gh run view": (line) => `build\tRun tests\t2024-05-01T12:00:00.1234567Z ${line}`,
  "docker compose": (line, i) => `${i % 3 === 0 ? "web-1  " : "db-1   "} | ${line}`,
  BuildKit: (line, i) => `#12 ${i}.345 ${line}`,
  turbo: (line) => `web:test: ${line}`,
  lerna: (line) => `@acme/web: ${line}`,
  kubectl: (line) => `[pod/web-5d/app] ${line}`,
  "a pool of workers": (line, i) => `[worker ${i % 4}] [stdout] ${line}`,
  journald: (line) => `Nov 18 05:00:01 build-host runner[412]: ${line}`,
  "a quote": (line) => `> ${line}`,
  indentation: (line) => `    ${line}`,
  "a list of strings": (line) => `  ${JSON.stringify(line)},`,
  colours: (line, i) => `\u001b[3${i % 7}m\u001b[1m${line}\u001b[22m\u001b[39m`,
};

/** What a runner prints where all is well, what it prints at a failure, and the lines of that which must be shown. */
const RUNS = [
  {
    runner: "TAP",
    calm: (i: number) => `ok ${i} - case ${i}`,
    failure: ["not ok 412 - closes the pool", "  ---", "  operator: equal", "  ..."],
    needs: ["not ok 412 - closes the pool"],
  },
  {
    runner: "Jest",
    calm: (i: number) => `  ✓ adds ${i} (${i % 9} ms)`,
    failure: ["  ● math › adds", "", "    expect(received).toBe(expected)", "", "    Expected: 3", "    Received: 4"],
    needs: ["● math › adds", "Expected: 3", "Received: 4"],
  },
  {
    runner: "rustc",
    calm: (i: number) => `   Compiling crate_${i} v0.${i % 50}.1`,
    failure: [
      "error[E0308]: mismatched types",
      " --> src/lib.rs:10:5",
      "  |",
      "10|     foo",
      "  |     ^^^ expected `u8`, found `&str`",
    ],
    needs: ["error[E0308]", "src/lib.rs:10:5", "found `&str`"],
  },
  {
    runner: "a panic of Rust",
    calm: (i: number) => `test pool::case_${i} ... ok`,
    failure: ["thread 'main' panicked at src/main.rs:7:13:", "index out of bounds: the len is 3 but the index is 9"],
    needs: ["panicked at src/main.rs:7:13", "the len is 3"],
  },
] as const;

const AMOUNT = { mode: "ratio", maxPruneRatio: 0.9, minKeepLines: 0 } as const;

describe("what stands before each line", () => {
  for (const [name, prefix] of Object.entries(PREFIXED))
    for (const { runner, calm, failure, needs } of RUNS)
      it(`X-59 ${name}: a failure of ${runner} stays, whatever kind of text was declared`, async () => {
        const calmLines = Array.from({ length: 1500 }, (_, i) => calm(i));
        const lines = [...calmLines.slice(0, 700), ...failure, ...calmLines.slice(700)].map(prefix);
        for (const kind of [undefined, "logs", "docs", "code"] as const) {
          const order = kind === undefined ? {} : { kind, amount: AMOUNT };
          const { kept, blocks } = await prune(`${lines.join("\n")}\n`, { focus: "How is the port chosen?", ...order });
          expect(blocks.length, `declared ${kind}`).toBeGreaterThan(0);
          const shown = lines.filter((_, i) => kept[i] !== 0).join("\n");
          for (const need of needs) expect(shown, `declared ${kind}`).toContain(need);
        }
      });

  const bareOf = (lines: readonly string[]) => withoutPrefixes(splitLines(lines.join("\n")))?.text.split("\n");
  const twenty = (line: (i: number) => string) => Array.from({ length: 20 }, (_, i) => line(i));

  it("takes several prefixes from a line, and leaves lines without one as they are", () => {
    const lines = twenty((i) => `web-1  | 2024-05-01T12:00:00Z step ${i}`);
    lines[7] = "a second tool";
    expect(bareOf(lines)?.slice(6, 9)).toEqual(["step 6", "a second tool", "step 8"]);
  });

  it("leaves levels where they are: they say what failed", () => {
    for (const level of ["ERROR: ", "[error] ", "[WARN] ", "error | ", "FAIL: ", "E: "])
      expect(bareOf(twenty((i) => `${level}step ${i}`)), level).toBeUndefined();
  });

  it("does not take the keys of settings or the first column of a table for names", () => {
    expect(bareOf(twenty((i) => `key_${i}: value`))).toBeUndefined();
    expect(bareOf(twenty((i) => `row_${i} | value`))).toBeUndefined();
    expect(bareOf(twenty((i) => `${i} | value`))).toBeUndefined();
  });

  it("has as many lines as before, whatever they hold", () => {
    const part = fc.constantFrom(
      "> ",
      "web: ",
      "[a] ",
      '  "',
      '",',
      "    ",
      "\t",
      "x",
      "\n",
      "\r\n",
      "2024-05-01T12:00:00Z ",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), fc.constantFrom("> ", "web: ", "    ", '"'), (parts, prefix) => {
        const text = parts.join("").replace(/^/gm, prefix);
        const table = splitLines(text);
        expect(withoutPrefixes(table)?.count ?? table.count).toBe(table.count);
      }),
      { numRuns: 500 },
    );
  });
});
