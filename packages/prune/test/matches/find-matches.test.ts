// Matches found by their look: in texts that nothing but their lines says anything about.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sniffKind } from "../../src/kind.ts";
import { findMatches } from "../../src/matches/find-matches.ts";
import { splitLines } from "../../src/text/lines.ts";

const LIST = Array.from(
  { length: 60 },
  (_, i) => `src/part-${Math.floor(i / 6)}/paths.ts:${i * 3 + 1}:  const place${i} = normalizePath(given${i});`,
);
const LOG = Array.from(
  { length: 80 },
  (_, i) => `2026-01-11T10:00:${10 + (i % 50)}Z INFO worker ${i} handled row ${i}`,
);
const find = (lines: readonly string[], options = {}) => findMatches(splitLines(`${lines.join("\n")}\n`), options);
const kindsOf = (lines: readonly string[], options = {}) => find(lines, options)?.entries.map(({ kind }) => kind);

describe("X-58 matches in a text without a name", () => {
  it("are all of it, whatever the file is called", () => {
    expect(new Set(kindsOf(LIST))).toEqual(new Set(["match"]));
    const table = splitLines(LIST.join("\n"));
    for (const path of [undefined, "found", "found.txt", "found.md", "found.log", "found.json", "found.ts"])
      expect(sniffKind(table, path), path).toBe("matches");
  });

  it.each([
    ["behind a log", [...LOG, ...LIST]],
    ["before a log", [...LIST, ...LOG]],
    ["between two logs", [...LOG, ...LIST, ...LOG]],
  ])("%s are told from it", (_, lines) => {
    const kinds = kindsOf(lines) ?? [];
    expect(kinds.map((kind) => kind === "match")).toEqual(lines.map((line) => LIST.includes(line)));
    expect(new Set(kinds)).toEqual(new Set(["match", "other"]));
  });

  it("may have odd paths, context and separators in between, and colours and numbers before them", () => {
    const odd = ["src/with space.ts:7:  a", "src/a:12:b.ts:9:  b", "Makefile:3:\tc", "src/at-12:30:41.log:5:d"];
    const context = ["src/part-0/paths.ts-2-  before", "--", "src/part-0/paths.ts-5-  between"];
    const all = [...LIST.slice(0, 30), ...odd, ...context, ...LIST.slice(30)];
    const entries = find(all)?.entries ?? [];
    const paths = entries.flatMap((entry) => (entry.kind === "match" ? [entry.path] : []));
    expect(paths).toHaveLength(LIST.length + odd.length);
    for (const path of ["src/with space.ts", "Makefile", "src/at-12:30:41.log"]) expect(paths).toContain(path);
    expect(entries.filter(({ kind }) => kind === "context")).toHaveLength(context.length);
    const coloured = LIST.map((line) =>
      line.replace(/^([^:]+):(\d+):/, "\u001b[35m\u001b[K$1\u001b[m\u001b[K\u001b[36m\u001b[K:\u001b[m\u001b[K$2:"),
    );
    expect(new Set(kindsOf(coloured))).toEqual(new Set(["match"]));
    expect(new Set(kindsOf(LIST.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)))).toEqual(
      new Set(["match"]),
    );
  });

  it("need company, unless a search is known to have run", () => {
    const lines = [...LOG, ...LIST.slice(0, 2), ...LOG];
    expect(find(lines)).toBeUndefined();
    expect(kindsOf(lines, { isSearch: true })?.filter((kind) => kind === "match")).toHaveLength(2);
  });

  it.each([
    ["a log", (i: number) => LOG[i % LOG.length]],
    ["gcc", (i: number) => `src/part.c:${i + 1}:5: warning: unused variable 'row${i}' [-Wunused-variable]`],
    ["mypy", (i: number) => `app/cart.py:${i + 1}: error: Incompatible return value type  [return-value]`],
    ["go vet", (i: number) => `./cart/cart.go:${i + 1}:2: undefined: row${i}`],
    ["flake8", (i: number) => `app/cart.py:${i + 1}:80: E501 line too long (${80 + i} > 79 characters)`],
    ["Ruby", (i: number) => `/app/models/cart.rb:${i + 1}:in \`book'`],
    ["Ruby 3.4", (i: number) => `/app/models/cart.rb:${i + 1}:in 'Cart#book'`],
    ["Apache", (i: number) => `[11/Jan/2026:10:12:${10 + (i % 50)}] GET /rows/${i}`],
    ["a day of a log", (i: number) => `2026/01/11T10:12:${10 + (i % 50)} handled row ${i}`],
    ["MAC addresses", (i: number) => `00:11:22:33:44:${10 + (i % 50)} eth${i}`],
    ["/etc/passwd", (i: number) => `user${i}:x:${1000 + i}:${1000 + i}::/home/user${i}:/bin/sh`],
    ["ports", (i: number) => `10.0.0.${i % 250}:8080: connection refused`],
    ["code", (i: number) => `  "src/part-${i}.ts:12:": { at: ${i} },`],
  ])("%s has none", (_, line) => {
    expect(find(Array.from({ length: 60 }, (_, i) => line(i) ?? ""))).toBeUndefined();
  });

  it("every one is found between any other lines", () => {
    const other = fc.constantFrom(
      ...LOG.slice(0, 5),
      "",
      "total 12",
      "ok 3 - works",
      "    at run (/app/a.js:1:2)",
      "--",
    );
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 40 }),
        fc.array(other, { maxLength: 40 }),
        fc.integer({ min: 5, max: 60 }),
        (before, behind, count) => {
          const lines = [...before, ...LIST.slice(0, count), ...behind];
          const entries = find(lines)?.entries ?? [];
          expect(entries.filter(({ kind }) => kind === "match")).toHaveLength(count);
          expect(entries.slice(before.length, before.length + count).every(({ kind }) => kind === "match")).toBe(true);
        },
      ),
    );
  });
});
