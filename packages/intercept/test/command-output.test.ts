import { afterEach, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../cut/test/search/match-places.ts";
import { cutCommandOutput } from "../src/index.ts";
import { given, makeSource } from "./given.ts";

const source = makeSource();
const made: Awaited<ReturnType<typeof given>>[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

interface Limits {
  readonly timeoutMs?: number;
  readonly passedOnBytes?: number;
  readonly exitCode?: number;
}

/** What the client gets: the bytes that were passed on before, and those behind them. */
async function cutOf(command: string, text: string, limits: Limits = {}): Promise<string> {
  const one = await given();
  made.push(one);
  const { dir, env, cutter, meter } = one;
  const { passedOnBytes = 0, exitCode = 0, ...deps } = limits;
  const about = { session: "s1", project: dir, signal: new AbortController().signal };
  const cut = await cutCommandOutput(
    { command, text, passedOnBytes, exitCode, client: "claude-code", ...about },
    { cutter, meter, env, ...deps },
  );
  const passedOn = Buffer.from(text, "utf8").subarray(0, passedOnBytes);
  return cut === undefined ? text : Buffer.concat([passedOn, cut.rest]).toString("utf8");
}

describe("what a command printed", () => {
  it.each(["nl -ba a.ts", "cat -n a.ts"])(
    "%s is cut as the file is, each kept line with its number",
    async (command) => {
      const numbered = source
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
        .join("\n");
      const lines = (await cutOf(command, numbered)).trimEnd().split("\n");
      expect(lines.length).toBeGreaterThan(5);
      expect(lines.length).toBeLessThan(source.split("\n").length / 2);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^ *\d+\t|^⟦… \d+ lines/);
      expect(lines.at(-1)).toMatch(/recover_text prn_/);
    },
  );

  it.each(["cd api && cat a.ts", "FORCE_COLOR=0 timeout 9 cat a.ts"])(
    "%s is cut as `cat a.ts` is: where it runs changes nothing about what it prints",
    async (command) => {
      const withoutLastLine = (text: string) => text.trimEnd().split("\n").slice(0, -1);
      expect(withoutLastLine(await cutOf(command, source))).toEqual(withoutLastLine(await cutOf("cat a.ts", source)));
    },
  );

  it("what cannot be cut in time is shown whole", async () => {
    expect(await cutOf("cat a.ts", source, { timeoutMs: -1 })).toBe(source);
    expect(await cutOf("cat a.ts", source)).not.toBe(source);
  });

  it("X-21 X-52 a stored text that a command prints comes back whole, and counts as asked for again", async () => {
    expect(await cutOf("cat /state/store/a/prn_abcdefghijkl.txt", source)).toBe(source);
    expect(await made.at(-1)?.meterKinds()).toEqual(["recovered"]);
  });

  const PASSED_ON = 6_144;
  /** What Claude Code shows of a command, less a tenth. */
  const CLAUDE_CHARS = 27_000;

  /** The launcher stops at the end of a line, if it can. */
  function passedOnOf(text: string): number {
    return Buffer.from(text, "utf8").subarray(0, PASSED_ON).lastIndexOf("\n") + 1 || PASSED_ON;
  }

  it.each([300, 1_200, 2_000, 2_500, 5_000, 20_000])(
    "X-58 X-57 matches of %s characters are all named, wherever the passed-on bytes end",
    async (chars) => {
      const found = Array.from({ length: 200 }, (_, index) => {
        return `src/f${index % 40}.min.js:${index + 1}:normalizePath(input,"${"qü".repeat(chars / 2)}")`;
      });
      const text = `${found.join("\n")}\n`;
      for (const passedOnBytes of [passedOnOf(text), PASSED_ON, PASSED_ON + 1, PASSED_ON + 777, PASSED_ON + 1_500]) {
        const shown = await cutOf("rg -n normalizePath src", text, { passedOnBytes });
        expect(shown.length).toBeLessThan(CLAUDE_CHARS);
        expect(shown).not.toContain("\ufffd");
        const named = new Set(placesIn(shown));
        expect(placesOf(found).filter((place) => !named.has(place))).toEqual([]);
      }
    },
  );

  it.each([
    { chars: 2_100, exitCode: 0 },
    { chars: 3_000, exitCode: 0 },
    { chars: 8_000, exitCode: 0 },
    { chars: 40_000, exitCode: 0 },
    { chars: 2_100, exitCode: 1 },
    { chars: 3_000, exitCode: 1 },
  ])("X-59 X-57 a failure between log lines of $chars characters is shown (exit $exitCode)", async (given) => {
    const { chars, exitCode } = given;
    const count = Math.max(60, Math.floor(400_000 / chars));
    const lines = Array.from({ length: count }, (_, index) => {
      return `{"level":"info","i":${index},"payload":"${"abcdefghij ".repeat(chars / 11)}"}`;
    });
    const failure = "FAILED tests/test_zebra.py::test_q - boom";
    lines.splice(count / 2, 0, '{"level":"error","msg":"zebra exploded"}', failure);
    const text = `${lines.join("\n")}\n`;
    const shown = await cutOf("npm test", text, { passedOnBytes: passedOnOf(text), exitCode });
    expect(shown.length).toBeLessThan(exitCode === 0 ? CLAUDE_CHARS : 9_000);
    expect(shown.split("\n")).toContain(failure);
    expect(shown).toContain("zebra exploded");
    expect(shown.trimEnd()).toMatch(/recover_text prn_\w+\]$/);
  });

  it("X-58 a line of which only the beginning was passed on is kept whole where there is room for it", async () => {
    const found = Array.from({ length: 200 }, (_, index) => `src/a.ts:${index + 1}:x("${"q".repeat(2_000)}")`);
    const shown = await cutOf("rg -n x src", `${found.join("\n")}\n`, { passedOnBytes: PASSED_ON });
    expect(shown.split("\n").slice(0, 3)).toEqual(found.slice(0, 3));
  });

  it.each([
    [
      "rg --json normalizePath src",
      (path: string, line: number, text: string) => {
        const data = {
          path: { text: path },
          lines: { text: `${text}\n` },
          line_number: line,
          absolute_offset: line * 80,
        };
        return JSON.stringify({ type: "match", data: { ...data, submatches: [] } });
      },
    ],
    [
      "grep -rnb normalizePath src",
      (path: string, line: number, text: string) => `${path}:${line}:${line * 80}:${text}`,
    ],
    [
      "grep -rnT normalizePath src",
      (path: string, line: number, text: string) => `${path}:${String(line).padStart(4)}:\t${text}`,
    ],
  ])("X-58 %s: every match is named", async (command, print) => {
    const places = Array.from({ length: 600 }, (_, index) => ({ path: `src/part-${index % 40}.ts`, line: index + 1 }));
    const lines = places.map(({ path, line }) => print(path, line, `const v${line} = normalizePath(input${line});`));
    const shown = await cutOf(command, `${lines.join("\n")}\n`, { passedOnBytes: passedOnOf(lines.join("\n")) });
    expect(shown.length).toBeLessThan(CLAUDE_CHARS);
    const listed = new Set(
      shown.split("\n").flatMap((line) => {
        const [, path, numbers = ""] = /^(\S+): (\d+(?:, \d+)*)$/.exec(line) ?? [];
        return numbers.split(", ").map((number) => `${path}:${number}`);
      }),
    );
    const missing = places.filter(
      ({ path, line }, i) => !listed.has(`${path}:${line}`) && !shown.includes(`${lines[i]}\n`),
    );
    expect(missing).toEqual([]);
  });
});
