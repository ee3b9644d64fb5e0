import { type MatchLines, otherMatches, parseMatchLines } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMatches, type MatchCut } from "../../src/search/cut-matches.ts";
import { selectInOrder } from "../../src/search/select-lines.ts";

interface Found {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly text: string;
}

const render = ({ path, line, column, text }: Found) =>
  `${path}:${line}:${column === undefined ? "" : `${column}:`}${text}`;

function parse(text: string): MatchLines {
  const lines = parseMatchLines(text);
  if (lines === undefined) throw new Error("no match list");
  return lines;
}

const MARKER = /^⟦… (\d+) lines (\d+)-(\d+)⟧$/;

/** Every `path:line` that a shown text names, and the lines of the whole text that it shows. */
function readShown(cut: MatchCut, whole: string): { places: string[]; counted: number; listed: string[] } {
  const body = cut.list === "" ? cut.text : cut.text.slice(0, cut.text.lastIndexOf(cut.list));
  const all = whole.split("\n");
  const places: string[] = [];
  let next = 0;
  for (const line of body.replace(/\n$/, "").split("\n")) {
    const marker = MARKER.exec(line);
    if (marker !== null) {
      expect(Number(marker[2])).toBe(next + 1);
      next = Number(marker[3]);
      continue;
    }
    expect(line).toBe(all[next++]);
    const [, path, number] = /^(.+?):(\d+):/.exec(line) ?? [];
    if (path !== undefined) places.push(`${path}:${number}`);
  }
  const listed: string[] = [];
  let counted = 0;
  for (const row of cut.list.split("\n").slice(1)) {
    const [, path, numbers = ""] = /^(.*): (\d+(?:, \d+)*)$/.exec(row) ?? [];
    if (path !== undefined) listed.push(...numbers.split(", ").map((number) => `${path}:${number}`));
    counted += Number(/ \((\d+)\)$/.exec(row)?.[1] ?? 0) + Number(/^\[and (\d+) more/.exec(row)?.[1] ?? 0);
  }
  if (counted === 0 && listed.length === 0) counted = Number(/^\[(\d+) more/.exec(cut.list)?.[1] ?? 0);
  return { places, counted, listed };
}

const path = fc
  .tuple(
    fc.constantFrom("src/", "lib/deep/", "C:\\x\\", "a:b/", "with space/", ""),
    fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/),
    fc.constantFrom(".ts", ".py", "", "-3-.md"),
  )
  .map((parts) => parts.join(""));
const found = fc.record({
  path,
  line: fc.integer({ min: 1, max: 99_999 }),
  column: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  text: fc.stringMatching(/^[ -~é😀]{0,90}$/u),
});

describe("X-58 cutMatches", () => {
  it("names every match exactly once, shows kept lines byte for byte, and is never larger than the whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(found, { minLength: 1, maxLength: 120 }),
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        async (matches, chosen, endsWithLineEnd) => {
          const whole = matches.map(render).join("\n") + (endsWithLineEnd ? "\n" : "");
          const lines = parse(whole);
          // A text may begin like context of the line before it; what the parser reads is what must be named.
          fc.pre(lines.entries.every((entry, i) => entry.kind === "match" && entry.line === matches[i]?.line));
          const kept = Uint8Array.from(matches, () => (chosen.next().value ? 1 : 0));
          const cut = await cutMatches(lines, {
            select: () => kept,
            keepChars: whole.length,
            isWorth: (text) => text.length < whole.length,
          });
          if (cut === undefined) return;
          expect(cut.text.length).toBeLessThan(whole.length);
          expect(cut.text.endsWith("\n")).toBe(endsWithLineEnd);
          const { places, listed, counted } = readShown(cut, whole);
          const all = new Set(matches.map((match) => `${match.path}:${match.line}`));
          expect(new Set([...places, ...listed]).size + counted).toBe(all.size);
          if (counted > 0) return;
          expect(new Set([...places, ...listed])).toEqual(all);
          expect(listed.length).toBe(new Set(listed).size);
          expect(listed.filter((place) => places.includes(place))).toEqual([]);
          expect(cut.others).toEqual(otherMatches(lines, cut.pruned.kept));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("keeps to the room that it is given, and counts what it cannot name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(found, { minLength: 30, maxLength: 200 }),
        fc.integer({ min: 300, max: 8_000 }),
        async (matches, maxChars) => {
          const whole = matches
            .map((match) => render({ ...match, column: 1, text: `needle ${match.text}` }))
            .join("\n");
          fc.pre(whole.length > maxChars);
          const lines = parse(whole);
          fc.pre(lines.entries.every(({ kind }) => kind === "match"));
          const cut = await cutMatches(lines, {
            select: (chars) => selectInOrder(lines, chars),
            keepChars: 2_000,
            maxChars,
            isWorth: (text) => text.length < whole.length,
          });
          if (cut === undefined) throw new Error("nothing was cut");
          expect(cut.text.length).toBeLessThanOrEqual(maxChars);
          const { places, listed, counted } = readShown(cut, whole);
          const all = new Set(matches.map((match) => `${match.path}:${match.line}`));
          expect(new Set(places).size + listed.length + counted).toBe(all.size);
        },
      ),
      { numRuns: 300 },
    );
  });

  const many = (count: number, files: number, text = "  const x = normalizePath(given, { root });") =>
    Array.from({ length: count }, (_, i) =>
      render({ path: `src/module-${Math.floor((i * files) / count)}/index.ts`, line: i * 7 + 1, text }),
    ).join("\n");
  const cutOf = (whole: string, more: Partial<Parameters<typeof cutMatches>[1]> = {}) => {
    const lines = parse(whole);
    return cutMatches(lines, {
      select: (chars) => selectInOrder(lines, chars),
      keepChars: 2_000,
      isWorth: (text) => text.length < whole.length * 0.75,
      ...more,
    });
  };

  it("keeps more lines rather than naming files only", async () => {
    const cut = await cutOf(many(600, 60));
    const { places, listed, counted } = readShown(cut as MatchCut, many(600, 60));
    expect(counted).toBe(0);
    expect(places.length + listed.length).toBe(600);
    expect(cut?.list.length).toBeGreaterThan(2_000);
    expect(cut?.list.length).toBeLessThanOrEqual((cut?.text.length ?? 0) - (cut?.list.length ?? 0));
  });

  it.each([700, 1_250, 1_900])("lines of %s characters, of which few fill the room, are all named", async (chars) => {
    const whole = many(200, 40, `normalizePath(${"q".repeat(chars)})`);
    const cut = await cutOf(whole);
    const { places, listed, counted } = readShown(cut as MatchCut, whole);
    expect(counted).toBe(0);
    expect(places.length + listed.length).toBe(200);
    expect(cut?.text.length).toBeLessThan(12_000);
  });

  it("counts by file where the lines do not fit, and counts files where those do not", async () => {
    const byFile = await cutOf(many(2_000, 40), { maxChars: 6_000 });
    expect(byFile?.list).toMatch(
      /^\[19\d\d more matches, path[^\n]* \(matches\)\]\nsrc\/module-\d+\/index\.ts \(\d+\)\n/,
    );
    expect(byFile?.list).not.toContain("[and");
    const more = await cutOf(many(2_000, 1_000), { maxChars: 6_000 });
    expect(more?.list).toMatch(/\n\[and \d+ more in \d+ files\]$/);
    expect(more?.text.length).toBeLessThanOrEqual(6_000);
  });

  it("names every file, however many there are, unless the client has no room or nothing is saved", async () => {
    const line = "  const place = normalizePath(request.rows[given].target, { root, base, options }); // here";
    const whole = many(6_000, 2_400, line);
    const cut = await cutOf(whole);
    const { places, listed, counted } = readShown(cut as MatchCut, whole);
    expect(cut?.list).not.toContain("[and");
    const files = new Set((cut?.text ?? "").match(/src\/module-\d+\/index\.ts/g));
    expect(files.size).toBe(2_400);
    expect(new Set(places).size + listed.length + counted).toBe(6_000);
    expect(await cutOf(many(2_400, 2_400, "x()"))).toBeUndefined();
  });

  it("where naming the lines saves too little the search stays whole, and is not counted by file instead", async () => {
    const whole = many(100, 4);
    const isWorth = (text: string) => text.length < whole.length * 0.6;
    expect(await cutOf(whole, { keepChars: whole.length * 0.59, isWorth })).toBeUndefined();
    const cut = await cutOf(whole, { keepChars: whole.length * 0.4, isWorth });
    expect(cut?.list).toMatch(/^\[\d+ more matches, path: lines\]/);
  });

  it("messages that are left out are counted", async () => {
    const notes = Array.from({ length: 90 }, (_, i) => `Binary file build/object-number-${i}.pyc matches`);
    const cut = await cutOf(`${notes.join("\n")}\n${many(300, 10)}`);
    const shown = cut?.text.split("\n").filter((line) => line.startsWith("Binary file")).length ?? 0;
    expect(cut?.list.endsWith(`\n[${90 - shown} more messages]`)).toBe(true);
    expect(cut?.others.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(200);
  });

  it("a match in a minified line of 500 kB is listed, and the others are shown", async () => {
    const whole = `a.min.js:1:${"var a=1;".repeat(62_500)}\n${many(40, 4)}\n`;
    const cut = await cutOf(whole, { keepChars: 50_000 });
    expect(cut?.list).toBe("[1 more match, path: lines]\na.min.js: 1");
    expect(cut?.pruned.kept.filter((why) => why !== 0)).toHaveLength(40);
  });

  it("where every match is that long, all are named", async () => {
    const line = (i: number) => `part-${i}.min.js:1:${"var a=1;".repeat(500)}`;
    const whole = Array.from({ length: 60 }, (_, i) => line(i)).join("\n");
    const cut = await cutOf(whole);
    expect(cut?.list).toMatch(/^\[60 more matches, path: lines\]\npart-0\.min\.js: 1\n/);
    const more = await cutOf(whole, { keepChars: 20_000 });
    expect(more?.text.startsWith(`${line(0)}\n${line(1)}\n`)).toBe(true);
    // One alone is better shown as far as it goes.
    expect(await cutOf(line(0), { maxChars: 1_000 })).toBeUndefined();
  });

  it("messages without end do not take the room of the matches", async () => {
    const notes = Array.from({ length: 80 }, (_, i) => `grep: /proc/${i}/mem: Permission denied, and more of it`).join(
      "\n",
    );
    const whole = `${notes}\n${many(2_000, 20)}`;
    const cut = await cutOf(whole, { maxChars: 9_000 });
    expect(cut?.text.length).toBeLessThanOrEqual(9_000);
    expect(cut?.text).toContain("grep: /proc/0/mem");
    expect(cut?.list).toMatch(/^\[19\d\d more matches, path \(matches\)\]\n/);
  });

  it("a heading stays above its matches, and messages of the program stay", async () => {
    const group = (name: string) =>
      `${name}\n${Array.from({ length: 40 }, (_, i) => `${i + 1}:  needle in a line of ${name} ${i}`).join("\n")}`;
    const whole = `${group("src/a.ts")}\n\n${group("src/b.ts")}\nrg: src/locked: Permission denied (os error 13)`;
    const lines = parse(whole);
    const kept = Uint8Array.from(lines.entries, (_, i) => (i === 60 ? 1 : 0));
    const cut = await cutOf(whole, { select: () => kept });
    const shown = cut?.text.split("\n") ?? [];
    expect(shown.slice(1, 4)).toEqual([
      "src/b.ts",
      expect.stringMatching(MARKER),
      "18:  needle in a line of src/b.ts 17",
    ]);
    expect(shown).toContain("rg: src/locked: Permission denied (os error 13)");
    expect(cut?.list).toMatch(/^\[79 more matches, path: lines\]\nsrc\/a\.ts: 1, 2,.*\nsrc\/b\.ts: 1, 2,/);
  });
});
