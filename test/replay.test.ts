// The replay bench on a run of one's own, as a child: its figures are the ones that the README quotes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const dir = mkdtempSync(join(tmpdir(), "jeeves-replay-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const script = fileURLToPath(new URL("../bench/replay/replay.mjs", import.meta.url));
const replay = (lines: readonly object[], ...options: string[]) => {
  const file = join(dir, "runs.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return spawnSync(process.execPath, [script, file, ...options], { encoding: "utf8", timeout: 120_000 });
};

const source = Array.from({ length: 120 }, (_, i) => `${i + 1}\tconst value_${i} = compute_${i}(input_${i}, ${i});`);
const rest = Array.from({ length: 20 }, (_, i) => ({ thought: `Step ${i}.`, command: "true", output: "" }));
const run = (edit: string) => [
  { run: "one", prompt: "Mend it." },
  { thought: "Let me read the file.", command: "nl -ba src/a.ts", output: source.join("\n") },
  { thought: "Now I change it.", command: edit, output: "" },
  ...rest,
];

describe("replay", () => {
  it("charges a recovery for a line that is quoted later and was dropped, and none to the perfect cut", () => {
    const done = replay(run("sed -i 's/const value_57 = compute_57(input_57, 57);/x/' src/a.ts"), "--json");
    expect(done.stderr).toBe("");
    const { runs, classes, ways } = JSON.parse(done.stdout);
    expect(runs).toBe(1);
    expect(classes.read.outputs).toBe(1);
    expect(classes.read.used).toBeCloseTo(1 / 120);
    expect(ways.perfect.every.recoveries).toBe(0);
    expect(classes.read.ways.perfect.survived).toBe(1);
    expect(ways.bm25.cuts).toBe(1);
    expect(ways.bm25.every.recoveries).toBe(classes.read.ways.bm25.survived === 1 ? 0 : 1);
    expect(ways.perfect.every.without.mean).toBeGreaterThan(ways.bm25.every.without.mean);
    expect(ways.perfect.every.with.mean).toBeLessThan(ways.perfect.every.without.mean);
  });

  it("charges nothing where nothing was used, and our surface on every turn", () => {
    const { classes, ways } = JSON.parse(replay(run("true"), "--json").stdout);
    expect(classes.read.used).toBe(0);
    for (const way of [ways.bm25, ways.perfect]) {
      expect(way.every.recoveries).toBe(0);
      expect(way.missing).toEqual(way.every);
      expect(way.every.without.mean).toBeGreaterThan(0);
    }
    const dear = JSON.parse(replay(run("true"), "--json", "--surface", "5000").stdout).ways;
    expect(dear.perfect.every.with.mean).toBeLessThan(ways.perfect.every.with.mean);
    expect(dear.perfect.every.without.mean).toBe(ways.perfect.every.without.mean);
  });

  it("names the file and the line of what is not in the form, and prints its usage", () => {
    const bad = replay([{ run: "one" }, { thought: "x", command: "y" }]);
    expect(bad.status).not.toBe(0);
    expect(bad.stderr).toContain("runs.jsonl:2: output is missing or not a string");
    const help = spawnSync(process.execPath, [script, "--help"], { encoding: "utf8" });
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("npm run bench -- replay FILE…");
    expect(spawnSync(process.execPath, [script], { encoding: "utf8" }).status).toBe(2);
  });
});
