// `jeeves trial`, the built command: start, sessions in both halves, the report, stop.
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { armOf } from "@jeeves/cut";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeTranscript, type Step } from "../../../test/transcript-writer.mjs";
import { differenceOf, neededFor } from "../src/trial/welch.ts";
import { at, jeeves, json, put } from "./init-given.ts";

const idOf = (n: number) => `${String(10_000_000 + n)}-1111-4222-8333-444455556666`;
const later = (minute: number) => new Date(Date.now() + (60 + minute) * 60_000).toISOString();
const READ = (file: string, isError = false) => ({ tool: "Read", input: { file_path: file }, text: "x", isError });

function writeSession(
  session: string,
  { written, steps = [], dir = at("project") }: { written: number; steps?: Step[]; dir?: string },
) {
  const file = `home/.claude/projects/-p/${session}.jsonl`;
  const first: Step = { at: later(0), prompt: "Go on with the secret plan", usage: { written, output: 0 } };
  put(file, claudeTranscript({ session, dir, steps: [first, ...steps] }));
  // After the start of the trial, as its records are.
  utimesSync(at(file), Date.now() / 1000 + 7_200, Date.now() / 1000 + 7_200);
}
/** `count` sessions of a half. */
const halves = (arm: "on" | "shadow", count: number): string[] =>
  Array.from({ length: 200 }, (_, n) => idOf(n))
    .filter((id) => armOf(id) === arm)
    .slice(0, count);

describe("jeeves trial", () => {
  it("X-52 starts only where there is a directory", () => {
    const { status, stderr } = jeeves("trial", "start", "--project", at("nowhere"));
    expect(status).not.toBe(0);
    expect(stderr).toContain(`--project ${at("nowhere")} is not a directory`);
  });

  it("X-52 compares the two halves from the transcripts, in numbers alone", () => {
    expect(jeeves("trial", "start")).toMatchObject({ status: 0, stderr: "" });
    halves("on", 4).forEach((id, n) => {
      const again: Step = { at: later(2), usage: { cached: 8_000, output: 10 }, tools: [READ("/p/a.ts", true)] };
      const read: Step = {
        at: later(1),
        usage: { cached: 8_000, output: 10 },
        tools: [READ("/p/a.ts"), READ("/p/b.ts")],
      };
      writeSession(id, { written: 8_000 + n * 80, steps: [read, again] });
    });
    halves("shadow", 5).forEach((id, n) => {
      writeSession(id, { written: 16_000 + n * 80 });
    });
    const report = JSON.parse(jeeves("trial", "report", "--json").stdout);
    expect(report.sessions).toEqual({ on: 4, shadow: 5 });
    expect(report.figures).toMatchObject({
      turns: { on: 3, shadow: 1, difference: { difference: 2, low: 2, high: 2 } },
      re_reads: { on: 1, shadow: 0 },
      failures: { on: 1, shadow: 0 },
    });
    expect(report.left_out).toBe(0);
    expect(report.figures.bill.shadow).toBeCloseTo((16_000 + 160) * 1.25);
    const { low, high } = report.figures.bill.difference;
    expect([low < high, high < 0]).toEqual([true, true]);
    const { stdout } = jeeves("trial", "report");
    expect(stdout).toMatch(
      /^per session +on +shadow +on less shadow \(95 %\)\nsessions +4 +5\nbill +12 k +20 k +-\d+\.\d % \(/,
    );
    expect(stdout).toContain("on lowers the bill: -");
    expect(stdout).toContain("there are enough sessions to tell a difference of 5 % of the bill\n");
    for (const words of ["secret", "/p/", at(""), idOf(1).slice(0, 8)])
      expect(stdout + JSON.stringify(report)).not.toContain(words);
  });

  it("X-52 a session that it put on is none in shadow for jeeves stats, though nothing of it was cut", () => {
    jeeves("trial", "start");
    for (const id of [...halves("on", 6), ...halves("shadow", 5)])
      writeSession(id, {
        written: 8_000,
        steps: [{ at: later(1), usage: { cached: 8_000, written: 900, output: 10 } }],
      });
    const entry = {
      ts: later(0),
      client: "claude-code",
      tool: "Read",
      project: "/p",
      raw_tokens: 900,
      kept_tokens: 90,
    };
    const lines = halves("shadow", 5).map((session, n) =>
      JSON.stringify({ ...entry, kind: "shadow", session, shown_tokens: 900, prune_id: `prn_${n}` }),
    );
    put(`state/meter/${entry.ts.slice(0, 7)}.jsonl`, `${lines.join("\n")}\n`);
    expect(jeeves("stats", "--shadow").stdout).toContain(" over 5 sessions: ");
    jeeves("trial", "stop");
  });

  it("X-52 says how many sessions are missing where they vary much", () => {
    jeeves("trial", "start");
    for (const [n, id] of halves("on", 3).entries()) writeSession(id, { written: 1_000 * (1 + 9 * n) });
    for (const [n, id] of halves("shadow", 3).entries()) writeSession(id, { written: 1_000 * (1 + 8 * n) });
    const { stdout } = jeeves("trial", "report");
    expect(stdout).toContain("the bill shows no difference yet\n");
    expect(stdout).toMatch(
      /^about \d+ more sessions to tell a difference of 5 % of the bill, as much as they vary now$/m,
    );
    expect(JSON.parse(jeeves("trial", "report", "--json").stdout).missing).toBeGreaterThan(100);
  });

  it("X-52 leaves out other projects, sessions of before, and those that ran in another mode", () => {
    const [under = "", crossed = "", elsewhere = "", own = ""] = halves("on", 4);
    writeSession(under, { written: 1_000 });
    jeeves("trial", "start");
    writeSession(under, { written: 1_000, steps: [{ at: later(9), usage: { cached: 1_000, output: 1 } }] });
    writeSession(crossed, { written: 1_000 });
    mkdirSync(at("other"));
    writeSession(elsewhere, { written: 1_000, dir: at("other") });
    writeSession(own, { written: 1_000, dir: at("project") });
    const entry = {
      ts: later(0),
      session: crossed,
      client: "claude-code",
      tool: "Read",
      project: "/p",
      raw_tokens: 9,
      kept_tokens: 1,
    };
    put(`state/meter/${entry.ts.slice(0, 7)}.jsonl`, `${JSON.stringify({ ...entry, kind: "shadow" })}\n`);
    const { stdout } = jeeves("trial", "report");
    expect(stdout).toMatch(/^sessions +1 +0$/m);
    expect(stdout).toContain("two sessions in each half are needed before anything can be told\n");
    expect(stdout).toContain("1 session left out: another mode was set for them\n");
    expect(jeeves("trial", "status").stdout).toMatch(/: runs, since .*; 1 sessions on, 0 in shadow\n$/);
  });

  it("X-52 is one file of 0600 for each project, begins once, and stops", () => {
    expect(jeeves("trial", "report")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("jeeves trial start starts one"),
    });
    expect(jeeves("trial", "start").stdout).toContain("is on or in shadow, by the hash of its id\n");
    const [name = ""] = readdirSync(at("state/trials"));
    expect(statSync(at(`state/trials/${name}`)).mode & 0o777).toBe(0o600);
    expect(jeeves("trial", "start")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("a trial runs since"),
    });
    expect(jeeves("shadow").stderr).toContain(
      "a trial runs in this project and decides here: jeeves trial stop ends it",
    );
    mkdirSync(at("other"));
    expect(jeeves("trial", "start", "--project", at("other")).status).toBe(0);
    expect(readdirSync(at("state/trials"))).toHaveLength(2);
    expect(jeeves("trial", "stop").stdout).toContain("jeeves trial report says what it has shown");
    expect(json(`state/trials/${name}`).stopped).toEqual(expect.any(String));
    expect(jeeves("shadow").stderr).toBe("");
    expect(jeeves("trial", "pause").status).toBe(2);
  });

  it("X-52 says so where off wins over it", () => {
    jeeves("off");
    expect(jeeves("trial", "start").stderr).toBe("jeeves: off wins over the trial: jeeves on ends it\n");
  });
});

describe("Welch's interval", () => {
  it("X-57 is that of Student's t with Welch's degrees of freedom", () => {
    const a = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4];
    const b = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.3];
    // Computed apart, with Python: 27.88 degrees of freedom, a standard error of 0.99279; t of 27 is 2.052.
    const found = differenceOf(a, b);
    expect(found?.difference).toBeCloseTo(-2.8267, 3);
    expect(found?.low).toBeCloseTo(-2.8267 - 2.052 * 0.99279, 3);
    expect(found?.high).toBeCloseTo(-2.8267 + 2.052 * 0.99279, 3);
  });

  it("X-57 holds the difference, is narrower with more values, and needs two of each", () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const found = differenceOf(a, b);
        const more = differenceOf([...a, ...a, ...a, ...a], [...b, ...b, ...b, ...b]);
        if (found === undefined || more === undefined) throw new Error("two of each are enough");
        expect(found.low).toBeLessThanOrEqual(found.difference);
        expect(found.high).toBeGreaterThanOrEqual(found.difference);
        expect(more.high - more.low).toBeLessThanOrEqual(found.high - found.low + 1e-6);
      }),
    );
    expect(differenceOf([1], [1, 2])).toBeUndefined();
    expect(neededFor(0.05, [1, 2], [0, 0])).toBeUndefined();
    // Twice (1.96 + 0.84)² · (s² + s²) / (5 % of 100)², s² = 200: the textbook's 126 in each.
    expect(neededFor(0.05, [90, 110], [90, 110])).toBe(2 * 126);
  });
});
