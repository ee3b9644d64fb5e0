// X-58 through jeeves-exec: a search command's output may be cut, and still names every match.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMeter } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import { beforeAll, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../cut/test/search/match-places.ts";
import { bare, dir, envOf, run } from "./jeeves-exec-given.ts";

const SEARCH = "grep -rn normalizePath src";
const codex = (session: string) => ({ args: ["--client=codex", `--session=${session}`] });
const linesOf = (output: Buffer) => output.toString().trimEnd().split("\n");

beforeAll(() => {
  for (let file = 0; file < 8; file++) {
    const calls = Array.from({ length: 21 }, (_, call) => {
      const given = file === 6 && call === 9 ? "voucher.archive" : `request.rows[${call}].target`;
      return `\n  const place${call} = normalizePath(${given}, options);`;
    });
    mkdirSync(join(dir, `src/part-${file}`), { recursive: true });
    writeFileSync(join(dir, `src/part-${file}/paths.ts`), calls.join("\n"));
  }
  for (let file = 0; file < 1_200; file++) {
    mkdirSync(join(dir, `many/component-number-${file}`), { recursive: true });
    writeFileSync(join(dir, `many/component-number-${file}/index.ts`), "const needle = 1;\n");
  }
});

describe("X-58 a search", () => {
  it("names every match in what its client shows, and a second one prints everything", async () => {
    const whole = bare(SEARCH).stdout;
    expect(linesOf(whole)).toHaveLength(168);
    const first = run(SEARCH, codex("s1"));
    const shown = first.stdout.toString();
    expect(first.status).toBe(0);
    expect(shown.length).toBeLessThanOrEqual(9_000);
    expect(shown.length).toBeLessThan(whole.length * 0.75);
    expect(shown.startsWith(whole.toString().slice(0, 6_000))).toBe(true);
    expect(placesIn(shown)).toEqual(placesOf(linesOf(whole)));
    const [id = ""] = /prn_[a-z2-7]{12}/.exec(linesOf(first.stdout).at(-1) ?? "") ?? [];
    expect((await createDiskStore({ env: envOf() }).get(id))?.text).toBe(whole.toString());

    expect(run(SEARCH, codex("s1")).stdout).toEqual(whole);
    expect(run(SEARCH, codex("s2")).stdout).toEqual(first.stdout);
    expect((await createMeter(envOf()).entriesOf("s1")).map(({ kind }) => kind)).toEqual(["cut", "repeated"]);
  });

  it("is a repeat by its call, whatever it found in between", () => {
    const file = join(dir, "src/part-7/more.ts");
    expect(run(SEARCH, codex("s3")).stdout.toString()).toContain("recover_text");
    writeFileSync(file, "normalizePath(late)\n");
    expect(run(SEARCH, codex("s3")).stdout).toEqual(bare(SEARCH).stdout);
    expect(run(`${SEARCH} .`, codex("s3")).stdout.toString()).toContain("recover_text");
  });

  it("for files alone is not ranked: left to a client that saves it, else the first ones with a count", () => {
    const search = "grep -rl needle many";
    const whole = linesOf(bare(search).stdout);
    expect(run(search, { args: ["--client=claude-code", "--session=s4"] }).stdout).toEqual(bare(search).stdout);
    const lines = linesOf(run(search, codex("s4")).stdout);
    const shown = lines.indexOf(lines.find((line) => line.startsWith("⟦…")) ?? "");
    expect(lines.slice(0, shown)).toEqual(whole.slice(0, shown));
    expect(lines.slice(shown + 1)).toEqual([
      `[${1_200 - shown} more files]`,
      expect.stringMatching(/recover_text prn_/),
    ]);
    expect(lines.join("\n").length).toBeLessThanOrEqual(9_000);
  });
});
