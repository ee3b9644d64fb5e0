// X-58 over the real transport: whatever is cut, every match of a search is in the first answer.
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placesIn, placesOf } from "../../../cut/test/search/match-places.ts";
import { type Server, startServer, type Wire } from "../server-under-test.ts";

const QUESTION = "Where is the voucher archive unpacked?";
const FILES = 14;
const CALLS = 12;

let server: Server;
beforeAll(async () => {
  server = await startServer();
  await fill(server.root);
});
afterAll(() => server.stop());

/** 168 calls of normalizePath in 14 files, between other lines. */
async function fill(root: string): Promise<void> {
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from({ length: CALLS }, (_, call) => {
      const given = file === 9 && call === 5 ? "voucher.archive, unpacked" : `request.rows[${call}].target, options`;
      return `\n  const place${call} = normalizePath(${given});\n  use(place${call});`;
    });
    await mkdir(join(root, `src/part-${file}`), { recursive: true });
    await writeFile(join(root, `src/part-${file}/paths.ts`), `${lines.join("\n")}\n`);
  }
}

const whole = async (args: object = {}): Promise<string[]> => {
  const raw = await server.call("grep", { pattern: "normalizePath", ...args });
  return raw.structuredContent.matches.map(toLine);
};
const toLine = ({ path, line, column, text }: Wire) => `${path}:${line}:${column === null ? "" : `${column}:`}${text}`;
const placesOfResult = ({ matches, other_matches }: Wire): string[] =>
  [
    ...matches.filter((match: Wire) => match.context !== true).map(({ path, line }: Wire) => `${path}:${line}`),
    ...other_matches.flatMap(({ path, lines }: Wire) => lines.map((line: number) => `${path}:${line}`)),
  ].sort();

it("X-58 of 168 matches the best are shown, all others are named, and the second call shows everything", async () => {
  const own = await startServer({ root: server.root });
  const args = { pattern: "normalizePath", context_focus_question: QUESTION };
  const found = await whole();
  expect(found).toHaveLength(FILES * CALLS);
  const first = await own.call("grep", args);
  const { text } = first.content[0];
  expect(first.structuredContent).toMatchObject({ match_count: 168, truncated: false, pruning: { applied: true } });
  expect(text).toContain("normalizePath(voucher.archive, unpacked)");
  expect(placesIn(text)).toEqual(placesOf(found));
  expect(placesOfResult(first.structuredContent)).toEqual(placesOf(found));
  expect(first.structuredContent.matches.length).toBeLessThan(100);
  expect(text.length).toBeLessThan(found.join("\n").length * 0.75);
  const { pruned_bytes, prune_id } = first.structuredContent.pruning;
  expect(Buffer.byteLength(text.slice(0, text.lastIndexOf("\n")))).toBe(pruned_bytes);
  const back = await own.call("recover_text", { prune_id });
  expect(back.content[0].text).toBe(found.join("\n"));

  // The call decides, not the text: in between another call was written.
  await appendFile(join(server.root, "src/part-3/paths.ts"), "normalizePath(late)\n");
  const second = await own.call("grep", args);
  expect(second.structuredContent).toMatchObject({ match_count: 169, pruning: { applied: false, reason: "repeat" } });
  expect(second.structuredContent).not.toHaveProperty("other_matches");
  expect(second.content[0].text).toBe((await whole()).join("\n"));
  await fill(server.root);
  await own.stop();
});

it("X-58 a question for all is not ranked: the first matches are shown, the others named", async () => {
  const found = await whole();
  const context_focus_question = "List every call site of normalizePath, the voucher archive's too";
  const { content, structuredContent } = await server.call("grep", {
    pattern: "normalizePath",
    context_focus_question,
  });
  const { matches } = structuredContent;
  expect(matches.length).toBeGreaterThan(10);
  expect(matches.map(toLine)).toEqual(found.slice(0, matches.length));
  expect(placesIn(content[0].text)).toEqual(placesOf(found));
  expect(placesOfResult(structuredContent)).toEqual(placesOf(found));
});

it("X-58 context is not listed as matches, and is left out and brought back like any line", async () => {
  const args = { pattern: "normalizePath", context_lines: 1, context_focus_question: QUESTION };
  const { content, structuredContent } = await server.call("grep", args);
  expect(structuredContent.pruning.applied).toBe(true);
  expect(placesOfResult(structuredContent)).toEqual(placesOf(await whole()));
  const shown = new Set(structuredContent.matches.map(toLine));
  const lines: string[] = content[0].text.split("\n").filter((line: string) => /^src\/.*:\d+:/.test(line));
  expect(lines.every((line) => shown.has(line))).toBe(true);
  expect(lines).toHaveLength(shown.size);
});

it("X-51 X-58 what a client cannot display whole names every match, without a question, too", async () => {
  const codex = await startServer({ root: server.root, clientName: "codex-mcp-client" });
  const found = await whole();
  expect(found.join("\n").length).toBeGreaterThan(10_800);
  const result = await codex.call("grep", { pattern: "normalizePath" });
  const { text } = result.content[0];
  expect(text.length).toBeLessThanOrEqual(10_800);
  expect(placesIn(text)).toEqual(placesOf(found));
  const { matches, other_matches, match_count } = result._meta["jeeves/result"];
  expect(match_count).toBe(168);
  expect(matches.map(toLine)).toEqual(found.slice(0, matches.length));
  expect(placesOfResult({ matches, other_matches })).toEqual(placesOf(found));
  const back = await codex.call("recover_text", { prune_id: /recover_text (prn_\w+)\]$/.exec(text)?.[1] });
  const pages: string = back.content[0].text;
  expect(found.join("\n").startsWith(pages)).toBe(true);
  await codex.stop();
});

it("X-58 where the lines do not fit they are counted by file, and nothing goes unsaid", async () => {
  const small = await startServer({ root: server.root, env: { JEEVES_MAX_RESULT_CHARS: "2200" } });
  const found = await whole();
  const { content, structuredContent } = await small.call("grep", { pattern: "normalizePath" });
  const { text } = content[0];
  expect(text.length).toBeLessThanOrEqual(2_200 * 0.9);
  expect(text).toMatch(/^\[\d+ more matches, path \(matches\)\]\nsrc\/part-\d+\/paths\.ts \(\d+\)$/m);
  const counted = [...text.matchAll(/ \((\d+)\)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(counted + structuredContent.matches.length).toBe(168);
  expect(placesOfResult(structuredContent)).toEqual(placesOf(found));
  await small.stop();
});

it("X-58 a search that ended at max_matches says so beside the list", async () => {
  const { content, structuredContent } = await server.call("grep", {
    pattern: "normalizePath",
    max_matches: 165,
    context_focus_question: QUESTION,
  });
  expect(structuredContent).toMatchObject({ match_count: 165, truncated: true, pruning: { applied: true } });
  expect(placesIn(content[0].text)).toEqual(placesOf((await whole()).slice(0, 165)));
  expect(content[1].text).toContain("the first 165 matches, there are more");
});

it("X-58 the text names what other_matches does, however many matches there are", async () => {
  const found = await whole();
  const cuts: number[] = [];
  for (let max = 72; max <= 168; max += 8) {
    const args = { pattern: "normalizePath", max_matches: max, context_focus_question: QUESTION };
    const { content, structuredContent } = await server.call("grep", args);
    if (structuredContent.pruning.applied) cuts.push(max);
    expect(placesIn(content[0].text)).toEqual(placesOf(found.slice(0, max)));
  }
  expect(cuts.length).toBeGreaterThan(0);
});

it("X-58 a search through bash is read by its command: times are no places", async () => {
  const log = Array.from({ length: 300 }, (_, i) => {
    const time = `2026-11-17 09:${10 + Math.floor(i / 10)}:${10 + (i % 10)}`;
    return `${time} ERROR worker ${i} could not unpack voucher ${i * 7} for the archive`;
  });
  await writeFile(join(server.root, "app.log"), `${log.join("\n")}\n`);
  const { structuredContent } = await server.call("bash", {
    command: "grep ERROR app.log",
    context_focus_question: "Which worker lost voucher 700?",
  });
  await rm(join(server.root, "app.log"));
  const { stdout, pruning } = structuredContent;
  expect(pruning.applied).toBe(true);
  const lines: string[] = stdout.trimEnd().split("\n");
  const gone = lines.reduce((sum, line) => sum + Number(/^⟦… (\d+) /.exec(line)?.[1] ?? 0), 0);
  expect(lines.at(-1)).toBe(`[${gone} more lines]`);
  expect(gone + lines.filter((line) => line.startsWith("2026")).length).toBe(300);
});

it("X-58 a search through bash lists its matches on stdout", async () => {
  const { structuredContent } = await server.call("bash", {
    command: "grep -rn normalizePath src; echo 'grep: locked: Permission denied' >&2",
    context_focus_question: QUESTION,
  });
  const { stdout, stderr, pruning } = structuredContent;
  expect(pruning.applied).toBe(true);
  expect(stderr).toBe("grep: locked: Permission denied\n");
  expect(placesIn(stdout)).toEqual(placesOf(await whole()));
});

it.each([
  'for f in src/*/*.ts src/none.ts; do grep -nH normalizePath "$f"; done',
  "find src -type f -print0 | xargs -0 -n1 grep -nH normalizePath",
  "! grep -rn normalizePath src",
])("X-58 X-06 %s fails, and names every match all the same", async (command) => {
  await writeFile(join(server.root, "src/none.ts"), "nothing\n");
  const { structuredContent } = await server.call("bash", { command, context_focus_question: QUESTION });
  await rm(join(server.root, "src/none.ts"));
  const { stdout, pruning, error } = structuredContent;
  expect(error).toMatchObject({ code: "nonzero_exit" });
  expect(pruning.applied).toBe(true);
  expect(placesIn(stdout)).toEqual(placesOf((await whole()).map((line) => line.replace(/^\.\//, ""))));
});

it("X-58 a search behind a log and before another names every match", async () => {
  const log = Array.from({ length: 300 }, (_, i) => `2026-11-17T09:31:${10 + (i % 50)}Z INFO worker ${i} is done`);
  await writeFile(join(server.root, "app.log"), `${log.join("\n")}\n`);
  const { structuredContent } = await server.call("bash", {
    command: "cat app.log; grep -rn normalizePath src; cat app.log",
    context_focus_question: QUESTION,
  });
  await rm(join(server.root, "app.log"));
  const { stdout, pruning } = structuredContent;
  expect(pruning.applied).toBe(true);
  expect(placesIn(stdout).filter((place) => place.startsWith("src/"))).toEqual(placesOf(await whole()));
  expect(stdout.length).toBeLessThan(12_000);
});

it("X-58 find names every file, as rg --files does", async () => {
  for (let file = 0; file < 300; file++) await writeFile(join(server.root, `src/part-1/component-${file}.css`), "");
  const command = "find src -name '*.css'";
  const { structuredContent } = await server.call("bash", { command, context_focus_question: QUESTION });
  for (let file = 0; file < 300; file++) await rm(join(server.root, `src/part-1/component-${file}.css`));
  expect(new Set(structuredContent.stdout.match(/component-\d+/g)).size).toBe(300);
});

it("X-20 X-51 a page of a search through bash drops no line of stdout together with one of stderr", async () => {
  const own = await startServer({ root: server.root, env: { JEEVES_MAX_RESULT_CHARS: "900" } });
  const result = await own.call("bash", { command: "grep -rn normalizePath src; ls nowhere at-all" });
  const { stdout, stderr } = result.structuredContent;
  const markers = stdout.split("\n").filter((line: string) => line.startsWith("⟦"));
  expect(markers.at(-1)).toMatch(new RegExp(`-${FILES * CALLS}⟧$`));
  expect(stderr).toMatch(/nowhere.*\n.*at-all|⟦… 2 lines 169-170⟧/);
  await own.stop();
});
