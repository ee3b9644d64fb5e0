import { describe, expect, it } from "vitest";
import { parseFileLines, parseJsonMatches, parseMatchLines } from "../../src/index.ts";

/** `path:line` of each match; other lines by the first letter of their kind. */
function read(text: string, options?: Parameters<typeof parseMatchLines>[1]): string[] | undefined {
  return parseMatchLines(text, options)?.entries.map((entry) =>
    entry.kind === "match" ? `${entry.path}:${entry.line ?? ""}` : entry.kind.slice(0, 1),
  );
}

describe("X-58 what searches print", () => {
  it.each([
    ["path:line:text", "src/a.ts:59:x()\nb.ts:1149:\n", ["src/a.ts:59", "b.ts:1149"]],
    ["path:line:column:text", "src/a.ts:59:7:x()\nb.ts:3:1:y: 4:5:6", ["src/a.ts:59", "b.ts:3"]],
    ["Windows paths", "C:\\src\\a.ts:59:x\nc:/b.ts:3:2:y", ["C:\\src\\a.ts:59", "c:/b.ts:3"]],
    ["paths with colons, spaces and dashes", "a:b.ts:5:x\nc d-1-2.ts:6:y", ["a:b.ts:5", "c d-1-2.ts:6"]],
    ["a revision of git grep", "HEAD:src/a.ts:5:x", ["HEAD:src/a.ts:5"]],
    ["carriage returns", "a.ts:5:x\r\nb.ts:6:y\r\n", ["a.ts:5", "b.ts:6"]],
    ["colours", "\u001b[35ma.ts\u001b[0m:\u001b[32m5\u001b[0m:x", ["a.ts:5"]],
    ["several matches in one line", "a.ts:5:1:x\na.ts:5:9:x", ["a.ts:5", "a.ts:5"]],
    ["context", "a.ts-4-before\na.ts:5:x\na.ts-6-after\n--\nb.ts:9:y", ["c", "a.ts:5", "c", "c", "b.ts:9"]],
    ["context that looks like a match", "a.ts-4-b:34:c\na.ts:5:x\na.ts-6-d:7:e", ["c", "a.ts:5", "c"]],
    ["a path that looks like context", "a.ts:5:x\na.ts-12-b.ts:34:c", ["a.ts:5", "a.ts-12-b.ts:34"]],
    ["git grep's function lines", "a.ts=3=function f() {\na.ts:5:x", ["c", "a.ts:5"]],
    ["headings", "src/a.ts\n5:x\n6-y\n\nb c.ts\n7:1:z:8:9\n", ["h", "src/a.ts:5", "c", "c", "h", "b c.ts:7"]],
    ["messages", "grep: x: Permission denied\na.ts:5:x\nBinary file b matches", ["n", "a.ts:5", "n"]],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("lines of one file are that file's", () => {
    expect(read("5:x\n6-y:1:\n--\n70:z", { onlyPath: "a.ts" })).toEqual(["a.ts:5", "c", "c", "a.ts:70"]);
    expect(read("5:x\n70:12:z")).toEqual([":5", ":70"]);
  });

  it("paths without numbers are files without lines", () => {
    expect(read("src/a.ts:x: 1\nlib/b.ts:y\n")).toEqual(["src/a.ts:", "lib/b.ts:"]);
  });

  it.each([
    ["nothing", ""],
    ["prose", "a word\nand another\n"],
    ["keys that are no paths", "app.title: x\napp.name: y\n"],
    ["a log with one place in it", `${"compiling a module\n".repeat(40)}src/a.ts:59:1: error\n`],
    ["JSON of ripgrep", '{"type":"match","data":{"path":{"text":"a"}}}\n'],
  ])("%s is no match list", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it("messages decide nothing, however many there are", () => {
    const messages = Array.from({ length: 100 }, (_, i) => `grep: locked/${i}: Permission denied`);
    expect(read([...messages, "a.ts:5:x"].join("\n"))).toEqual([...messages.map(() => "n"), "a.ts:5"]);
    const words = Array.from({ length: 100 }, (_, i) => `word ${i} and no message`);
    expect(read([...words, "a.ts:5:x"].join("\n"))).toBeUndefined();
    expect(read("a.ts:5:open: Permission denied\n")).toEqual(["a.ts:5"]);
  });

  it.each(["2026-11-17 09:31:05 ERROR x", "09:31:05 ERROR x", "Nov 17 09:31:05 host x", "2026-11-17T09:31:05Z x: y"])(
    "%s is no place",
    (line) => {
      expect(read(`${line}\n`.repeat(40))).toBeUndefined();
    },
  );

  it("the form that the caller names holds", () => {
    const log = "2026-11-17 09:31:05 x\n2026-11-17 09:31:06 y";
    expect(parseMatchLines(log, { form: { paths: false, numbers: false } })?.unit).toBe("lines");
    expect(read(log, { form: { paths: false, numbers: false } })).toEqual([":", ":"]);
    expect(read("a.log:09:31:05 x\nb c:12:01:07 y", { form: { paths: true, numbers: false } })).toEqual([
      "a.log:",
      "b c:",
    ]);
    expect(read("a.ts:x\na.ts-y\n--\nb.ts:z", { form: { paths: true, numbers: false } })).toEqual([
      "a.ts:",
      "c",
      "c",
      "b.ts:",
    ]);
    expect(read("12:34:56 x\n13-y", { onlyPath: "a", form: { paths: false, numbers: true } })).toEqual(["a:12", "c"]);
    expect(read("    12\tx\n   140\ty", { onlyPath: "a", form: { paths: false, numbers: "tab" } })).toEqual([
      "a:12",
      "a:140",
    ]);
  });

  const form = { paths: true, numbers: true } as const;

  it("a path may hold numbers between colons: the list as a whole tells where it ends", () => {
    const lines = ["d:12:e.ts:5:x", "d:12:e.ts:7:y", "d:12:f:5:x", "d:13:e.ts:8:z: 9:", "a.ts:12:30:1: text"];
    const expected = ["d:12:e.ts:5", "d:12:e.ts:7", "d:12:f:5", "d:13:e.ts:8", "a.ts:12"];
    expect(read(lines.join("\n"), { form })).toEqual(expected);
  });

  it("a line of one file that was searched twice is no contradiction", () => {
    expect(read("a:5:b.ts:7:x\na:5:b.ts:7:x\n", { form })).toEqual(["a:5", "a:5"]);
  });

  it.each([
    ["matches of one line, each by itself", { form: { ...form, repeats: true } }],
    ["what a linter says about one line", undefined],
  ])("one line with several texts: %s", (_, options) => {
    const lines = ["a.ts:5:1: b:7:8: x", "a.ts:5:9: c:3:4: y", "a.ts:6:1: z", "a.ts:6:2: 1:1: z"];
    expect(read(lines.join("\n"), options)).toEqual(["a.ts:5", "a.ts:5", "a.ts:6", "a.ts:6"]);
  });

  it("places that cannot be right are not named: few such lines are shown as they are, many are no list", () => {
    const sure = Array.from({ length: 20 }, (_, index) => `b.ts:${index + 1}:x`);
    const doubtful = ["a:5:x", "a:5:y", "c.ts:7:8:z"];
    expect(read([...doubtful, ...sure].join("\n"), { form })?.slice(0, 4)).toEqual(["n", "n", "c.ts:7", "b.ts:1"]);
    const many = Array.from({ length: 40 }, (_, index) => `a:5:x${index}`);
    expect(read([...many, ...doubtful, ...sure].join("\n"), { form })).toBeUndefined();
  });

  it("the records of ripgrep's JSON", () => {
    const record = (type: string, data: object) => JSON.stringify({ type, data });
    const lines = [
      record("begin", { path: { text: "a:5:b" } }),
      record("context", { path: { text: "a:5:b" }, line_number: 6 }),
      record("match", { path: { text: "a:5:b" }, lines: { text: "x\n" }, line_number: 7 }),
      record("match", { path: { bytes: Buffer.from("ü.ts").toString("base64") }, line_number: 8 }),
      record("end", { path: { text: "a:5:b" } }),
      "rg: locked: Permission denied (os error 13)",
      record("summary", {}),
    ];
    const kinds = (text: string) =>
      parseJsonMatches(text)?.entries.map((entry) =>
        entry.kind === "match" ? `${entry.path}:${entry.line}` : entry.kind.slice(0, 1),
      );
    expect(kinds(lines.join("\n"))).toEqual(["c", "c", "a:5:b:7", "ü.ts:8", "c", "n", "c"]);
    for (const text of ["", "null\n5\n[]\n", '{"type":"match"}\n', "a.ts:5:x\n".repeat(20) + lines[2]])
      expect(kinds(text)).toBeUndefined();
  });

  it("-l and -c: every line is a file", () => {
    const { entries, unit } = parseFileLines("a.ts\nb.ts:17\n");
    expect(unit).toBe("files");
    expect(entries.map((entry) => entry.kind === "match" && entry.path)).toEqual(["a.ts", "b.ts:17"]);
  });

  it("where nothing else is printed, files with a count of 0 are no matches, and messages make it no list of paths", () => {
    const read = (text: string) => parseFileLines(text, "files", { isBare: true });
    const kinds = (text: string) => read(text).entries.map(({ kind }) => kind);
    expect(kinds("a.ts:0\nb.ts:10\n")).toEqual(["context", "match"]);
    expect(kinds("a.ts:0\nb.ts\n")).toEqual(["match", "match"]);
    expect(read("a.ts\nb.ts\n").arePaths).toBe(true);
    expect(read("a.ts\ngrep: b: Permission denied\n").arePaths).toBeUndefined();
  });
});
