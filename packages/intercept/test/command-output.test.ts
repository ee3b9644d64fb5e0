import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCutter, createInProcessEngine } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import { afterEach, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../cut/test/search/match-places.ts";
import { cutCommandOutput } from "../src/index.ts";
import { ANSWER, given, makeSource, QUESTION } from "./given.ts";

const source = makeSource();
const made: Awaited<ReturnType<typeof given>>[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

interface Limits {
  readonly timeoutMs?: number;
  /** undefined while the command runs. */
  readonly exitCode?: number | undefined;
  readonly client?: string;
}

/** What the client gets. */
async function cutOf(command: string, text: string, limits: Limits = {}): Promise<string> {
  const one = await given();
  made.push(one);
  const { dir, env, cutter, meter } = one;
  const { exitCode, client = "claude-code", ...deps } = { exitCode: 0, ...limits };
  const about = { session: "s1", project: dir, signal: new AbortController().signal };
  const shown = await cutCommandOutput({ command, text, exitCode, client, ...about }, { cutter, meter, env, ...deps });
  return shown ?? text;
}

/** A session in a directory of this name. */
async function startedIn(name: string) {
  const one = await given();
  made.push(one);
  const dir = join(one.dir, name);
  await mkdir(dir);
  return { ...one, dir };
}

/** A client that shows all of a command's output. */
const SHOWS_ALL = { client: "opencode" };

describe("what a command printed", () => {
  it.each(["nl -ba a.ts", "cat -n a.ts"])(
    "%s is cut as the file is, each kept line with its number",
    async (command) => {
      const numbered = source
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
        .join("\n");
      const lines = (await cutOf(command, numbered, SHOWS_ALL)).trimEnd().split("\n");
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
      expect(withoutLastLine(await cutOf(command, source, SHOWS_ALL))).toEqual(
        withoutLastLine(await cutOf("cat a.ts", source, SHOWS_ALL)),
      );
    },
  );

  it("X-57 a file by its whole path is cut as by its name: the directory of the session is no question", async () => {
    const { dir, env, cutter, meter } = await startedIn("order-invoices-and-parcels-with-late-rows");
    const shownOf = async (path: string) => {
      const about = { session: path, project: dir, signal: new AbortController().signal };
      const call = { command: `cat ${path}`, text: source, exitCode: 0, client: "codex", ...about };
      return (await cutCommandOutput(call, { cutter, meter, env }))?.split("\n").slice(0, -2);
    };
    const shown = await shownOf("a.ts");
    expect(shown?.length).toBeGreaterThan(5);
    expect(await shownOf(`${dir}/a.ts`)).toEqual(shown);
  });

  it("what cannot be cut in time is shown whole", async () => {
    expect(await cutOf("cat a.ts", source, { timeoutMs: -1 })).toBe(source);
    expect(await cutOf("cat a.ts", source, SHOWS_ALL)).not.toBe(source);
  });

  it("X-20 JEEVES_RECOVERY=file: the last line names the stored file, which holds all that was printed", async () => {
    const one = await given({ JEEVES_RECOVERY: "file" });
    made.push(one);
    const { dir, env, meter } = one;
    const cutter = createCutter({ engine: createInProcessEngine(), store: createDiskStore({ env }), meter, env });
    const about = { session: "s1", project: dir, signal: new AbortController().signal };
    const call = { command: "cat a.ts", text: source, exitCode: 0, client: "opencode", ...about };
    const shown = (await cutCommandOutput(call, { cutter, meter, env })) ?? "";
    const [, file = ""] = /\[rest: Read ~\/(\S+\/prn_[a-z2-7]{12}\.txt) by lines\]\n$/.exec(shown) ?? [];
    expect(await readFile(join(dir, file), "utf8")).toBe(source);
  });

  it("X-57 Codex' models of its own list are shown more of an output, and the cut is measured against that", async () => {
    const shownTo = async (model: string) => {
      const one = await given();
      made.push(one);
      const { dir, env, cutter, meter, transcript } = one;
      const said = { type: "message", role: "user", content: [{ type: "input_text", text: QUESTION }] };
      const records = [
        { type: "turn_context", payload: { cwd: dir, model } },
        { type: "response_item", payload: said },
      ];
      await writeFile(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      const about = { session: "s1", project: dir, transcriptPath: transcript, signal: new AbortController().signal };
      const call = { command: "cat a.ts", text: source, exitCode: 0, client: "codex", ...about };
      expect(await cutCommandOutput(call, { cutter, meter, env })).toBeDefined();
      return (await one.meterLines()).find(({ kind }) => kind === "cut")?.shown_tokens ?? 0;
    };
    const [other, own] = [await shownTo("a-local-model"), await shownTo("gpt-6.1-sol")];
    expect(other).toBeLessThan(4_000);
    expect(own).toBeGreaterThan(other * 3);
  });

  it("X-21 X-52 a stored text that a command prints comes back whole, and counts as asked for again", async () => {
    expect(await cutOf("cat /state/store/a/prn_abcdefghijkl.txt", source)).toBe(source);
    expect(await made.at(-1)?.meterKinds()).toEqual(["recovered"]);
  });

  /** What Claude Code shows of a command, less a tenth. */
  const CLAUDE_CHARS = 27_000;

  it.each([300, 1_200, 2_000, 2_500, 5_000, 20_000])(
    "X-58 X-57 matches of %s characters are all named",
    async (chars) => {
      const found = Array.from({ length: 200 }, (_, index) => {
        return `src/f${index % 40}.min.js:${index + 1}:normalizePath(input,"${"qü".repeat(chars / 2)}")`;
      });
      const text = `${found.join("\n")}\n`;
      const shown = await cutOf("rg -n normalizePath src", text);
      expect(shown.length).toBeLessThan(CLAUDE_CHARS);
      expect(shown).not.toContain("\ufffd");
      const named = new Set(placesIn(shown));
      expect(placesOf(found).filter((place) => !named.has(place))).toEqual([]);
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
    const shown = await cutOf("npm test", text, { exitCode });
    expect(shown.length).toBeLessThan(exitCode === 0 ? CLAUDE_CHARS : 9_000);
    expect(shown.split("\n")).toContain(failure);
    expect(shown).toContain("zebra exploded");
    expect(shown.trimEnd()).toMatch(/recover_text prn_\w+\]$/);
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
    const shown = await cutOf(command, `${lines.join("\n")}\n`);
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

  it("X-57 X-58 of a search of which the client would show 2 kB, every match is named and few are shown in full", async () => {
    const one = await given();
    made.push(one);
    const { dir, env, cutter, meter } = one;
    const lines = Array.from({ length: 900 }, (_, index) => {
      const words = `await pause(normalizePath(input${index}), { reason: "the list is loaded page by page" });`;
      return `src/part-${index % 30}.ts:${index + 1}:  ${words}`;
    });
    const about = { session: "s1", project: dir, signal: new AbortController().signal };
    const call = {
      command: "grep -rn normalizePath src",
      text: `${lines.join("\n")}\n`,
      client: "claude-code",
      ...about,
    };
    const shown = (await cutCommandOutput({ ...call, exitCode: 0 }, { cutter, meter, env })) ?? "";
    const named = shown.split("\n").flatMap((line) => /^src\S+: (\d+(?:, \d+)*)$/.exec(line)?.[1]?.split(", ") ?? []);
    const full = shown.split("\n").filter((line) => lines.includes(line)).length;
    expect(named.length + full).toBeGreaterThanOrEqual(900);
    expect(shown.length).toBeLessThan(11_000);
    const [cut] = (await one.meterLines()).filter(({ kind }) => kind === "cut");
    expect(cut?.made_visible).toBeGreaterThanOrEqual(named.length);
    expect(cut?.visible_failures).toBe(0);
  });

  it.each(["find . -name '*.ts'", "ls -R src", "git ls-files"])(
    "X-58 %s names files: all of them where the client shows them, else the first ones and how many follow",
    async (command) => {
      const few = Array.from({ length: 400 }, (_, index) => `./src/part-${index}/module-${index % 40}.ts`).join("\n");
      for (const client of ["claude-code", "codex"]) expect(await cutOf(command, few, { client })).toBe(few);
      const paths = Array.from({ length: 1_600 }, (_, index) => `./src/part-${index}/module-${index % 40}.ts`);
      const text = `${paths.join("\n")}\n`;
      expect(await cutOf(command, text)).toBe(text);
      const lines = (await cutOf(command, text, { client: "codex" })).trimEnd().split("\n");
      const shown = lines.findIndex((line) => line.startsWith("⟦…"));
      expect(lines.slice(0, shown)).toEqual(paths.slice(0, shown));
      expect(lines.slice(shown + 1)).toEqual([
        `[${1_600 - shown} more files]`,
        expect.stringMatching(/recover_text prn_/),
      ]);
    },
  );

  it.each(["sed -n '1,9000p' a.ts", "head -n 9000 a.ts", "cat a.ts | head -9000"])(
    "%s is cut as the file is",
    async (command) => {
      const withoutLastLine = (text: string) => text.trimEnd().split("\n").slice(0, -1);
      const asFile = withoutLastLine(await cutOf("cat a.ts", source, SHOWS_ALL));
      expect(asFile.length).toBeLessThan(source.split("\n").length / 2);
      expect(withoutLastLine(await cutOf(command, source, SHOWS_ALL))).toEqual(asFile);
    },
  );

  it("X-51 of a command that still runs, the last lines and an unfinished one follow the cut as they are", async () => {
    const lines = Array.from(
      { length: 800 },
      (_, index) => `INFO worker ${index % 7} has done job ${index} in ${index % 13} ms`,
    );
    const text = `${lines.join("\n")}\nGo on? `;
    const shown = await cutOf("./deploy.sh", text, { exitCode: undefined });
    expect(shown.length).toBeLessThan(text.length / 4);
    const [cut = "", last = ""] = shown.split(/\[rest: recover_text prn_\w+\]\n/);
    expect(cut).toMatch(/^⟦… \d+ lines/m);
    expect(last.split("\n").length).toBeGreaterThan(10);
    expect(text.endsWith(`\n${last}`)).toBe(true);
    // As if it had ended, the question would stand above the way to the rest.
    expect((await cutOf("./deploy.sh", text)).trimEnd()).toMatch(/recover_text prn_\w+\]$/);
  });

  it.each([900, 2_500])(
    "X-51 of a command that still runs, a last line of %i characters is shown in full",
    async (chars) => {
      const last = `INFO ${"x".repeat(chars)}\n`;
      const text = `${"INFO a job is done\n".repeat(3_000)}${last}`;
      const shown = await cutOf("./deploy.sh", text, { exitCode: undefined });
      expect(shown.length).toBeLessThan(text.length / 4);
      expect(shown.endsWith(last)).toBe(true);
    },
  );

  it("X-51 a last line that fills the client's room leaves everything whole", async () => {
    const text = `${"INFO a job is done\n".repeat(3_000)}${"x".repeat(20_000)}`;
    expect(await cutOf("./deploy.sh", text, { exitCode: undefined })).toBe(text);
  });

  it("X-57 where Claude Code would show a beginning only, a cut is made for an answer that it would hide, and else not", async () => {
    const one = await given();
    made.push(one);
    const { dir, env, cutter, meter } = one;
    const about = {
      exitCode: 0,
      client: "claude-code",
      session: "s1",
      project: dir,
      signal: new AbortController().signal,
    };
    const asked = { command: "cat a.ts", text: source, ...about, transcriptPath: one.transcript };
    expect(await cutCommandOutput(asked, { cutter, meter, env })).toContain(ANSWER);
    const [line] = await one.meterLines();
    expect(line).toMatchObject({ kind: "cut", made_visible: expect.any(Number), visible_failures: 0 });
    expect(line?.shown_tokens).toBeLessThan(1_000);
    expect(
      await cutCommandOutput({ ...about, command: "cat a.ts", text: source }, { cutter, meter, env }),
    ).toBeUndefined();
  });

  it("X-56 a failing test run again is a new run: its failure is shown each time", async () => {
    const one = await given();
    made.push(one);
    const { dir, env, cutter, meter } = one;
    const log = Array.from({ length: 900 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`);
    log[700] = "AssertionError: expected 200 to be 401";
    const about = { client: "claude-code", session: "s1", project: dir, signal: new AbortController().signal };
    const run = { command: "npm test", text: `${log.join("\n")}\n`, exitCode: 1, ...about };
    for (let times = 0; times < 3; times++)
      expect(await cutCommandOutput(run, { cutter, meter, env })).toContain("AssertionError: expected 200 to be 401");
  });
});
