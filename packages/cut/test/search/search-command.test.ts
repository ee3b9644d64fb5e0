import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSearch } from "../../src/search/read-search.ts";
import { parseSearchCommand, printedFile } from "../../src/search/search-command.ts";

describe("X-58 search commands", () => {
  it.each([
    "rg -l x",
    "cd a && rg -il x",
    "grep -rl x .",
    "grep -rc x .",
    "grep -L x *",
    "rg --files-with-matches x",
    "rg --count-matches x",
    "rg --files",
    "git --no-pager grep -l x",
    "git grep --name-only x",
    "ag -l x",
    "LC_ALL=C ack -l x",
    "git ls-files src",
  ])("%s lists files, and prints nothing else", (command) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "files", isBare: true });
  });

  it.each([
    "find . -name '*.ts'",
    "find src -type f | sort | head -500",
    "find . -name '*.ts' | grep -v test",
    "cd src && ls -R .",
    "ls; find .",
    "fd -e ts",
  ])("%s lists files", (command) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "files" });
  });

  it.each([
    "rg -n x",
    "rg -tc x",
    "rg -g '*.l' x",
    "rg -n 'a -l b' src",
    "rg -n -e -l",
    "rg -L x",
    "grep -rn x .",
    "grep -C3 x a",
    "rg -n x -- -l",
    "rg -n x | sort -l",
    "git -C a grep -n x",
    "egrep x a",
  ])("%s shows lines", (command) => {
    expect(parseSearchCommand(command)?.prints).toBe("matches");
  });

  it.each([
    ["grep -rn x src lib", { paths: true, numbers: true }],
    ["grep x a.log", { paths: false, numbers: false, onlyPath: "a.log" }],
    ["grep -n x 'a b.log' 2>&1", { paths: false, numbers: true, onlyPath: "a b.log" }],
    ["grep -nH x a.log", { paths: true, numbers: true }],
    ["grep -E -n 'a|b' a.log", { paths: false, numbers: true, onlyPath: "a.log" }],
    ["grep -h x a.log b.log", { paths: false, numbers: false }],
    ["grep -rhn x src", { paths: false, numbers: false }],
    ["grep x *.log", { paths: "guess", numbers: false, targets: ["*.log"] }],
    ["rg x", { paths: true, numbers: false }],
    ["rg -n x src", { paths: "guess", numbers: true, targets: ["src"], onlyPath: "src" }],
    ["rg -n -g '*.ts' -e x src lib", { paths: true, numbers: true }],
    ["git -C a grep -n x", { paths: true, numbers: true }],
    ["cat a.ts | grep -n x", { paths: false, numbers: true, onlyPath: "a.ts" }],
    ["nl -ba a.ts | grep x", { paths: false, numbers: "tab", onlyPath: "a.ts" }],
    ["cat a b | grep x", { paths: false, numbers: false }],
    [
      "grep -rn x src | grep -v y | sort -u | head -50",
      { paths: "guess", numbers: true, targets: ["src"], onlyPath: "src" },
    ],
    ["cd 'a b' && rg -n x", { paths: true, numbers: true }],
    ["rg --json x src", { isJson: true }],
    ["rg --json x src | head -40", { isJson: true }],
    ["grep -nb x a.log", { paths: false, numbers: true, extras: 1, onlyPath: "a.log" }],
    ["rg -b --vimgrep x", { paths: true, numbers: true, extras: 2 }],
    ["grep -rb x src lib", { paths: true, numbers: false }],
    ["grep -nHT x a.log", { paths: true, numbers: "aligned" }],
    ["rg -no x src lib", { paths: true, numbers: true, repeats: true }],
    ["git grep --column x", { paths: true, numbers: false }],
    ["grep x a; grep y b", {}],
    ["rg --heading -n x", {}],
    ["rg -p x", {}],
    ["ag x", {}],
  ])("%s prints %j", (command, form) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "matches", ...form });
  });

  it.each([
    "rg -n --field-match-separator='|' x",
    "grep -rn x src | cut -d: -f1,2",
    "grep -rn x src | awk '{ print }'",
    "grep -rn x src | grep -n y",
    "grep -rn x src | sort | uniq -c",
    "rg -n x src | grep -b y",
    "git grep x HEAD~2 -- src",
    "rg -l x | xargs cat",
  ])("%s prints a text of its own", (command) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "text" });
  });

  it.each([
    ["cat app.log; grep -rn x src", {}],
    ["grep -rn x src; cat app.log", {}],
    ["ls -la src; grep -rn x src", {}],
    ["npm test && rg -n x src | head -400", {}],
    ["grep -n x a.ts; npm test", { isUnnamed: true }],
    ["grep -r x src; npm test", { isUnnamed: true }],
  ])("%s searches among other commands", (command, more) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "matches", isAmong: true, ...more });
  });

  it.each([
    ["cat x.rst", "x.rst"],
    ["cd docs && cat 'a b.rst' | head -300", "a b.rst"],
    ["nl -ba x.ts", "x.ts"],
    ["cat a.md b.md", undefined],
    ["cat *.md", undefined],
    ["cat x.rst; npm test", undefined],
    ["npm test", undefined],
  ])("%s prints the file %s", (command, path) => {
    expect(printedFile(command)).toBe(path);
  });

  it.each([
    "npm test",
    "ls -la && npm test",
    "find . -name '*.log' | xargs cat",
    "find . -type f -exec cat {} +",
    "fd -x cat",
    "git ls-files -z",
    "npm test | grep -v ok",
    "cat a.ts",
    "cat a.ts | head",
    "cat rg",
    "git log -l",
    "rgb x",
    "echo | rg x",
  ])("%s is no search", (command) => {
    expect(parseSearchCommand(command)).toBeUndefined();
  });

  it("no command and no output is too odd to be read, and every line is accounted for", () => {
    const word = fc.constantFrom(
      ..."grep rg git cat nl -n -r -rn -h -l --json -e x src a.log *.log [a {b} ' \" \\\\ | || && ; 2>&1 < > $( ` sort cut".split(
        " ",
      ),
    );
    const line = fc.constantFrom(
      "src/a.ts:5:x",
      "a.log:7",
      "12:x",
      "2026-11-17 09:31:05 x",
      "--",
      "",
      "grep: x: Is a directory",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(line, { maxLength: 30 }), (words, lines) => {
        const search = parseSearchCommand(words.join(" "));
        const read = readSearch(lines.join("\n"), { ...search, focus: "", searched: "" });
        expect(read.lines.entries).toHaveLength(read.lines.table.count);
      }),
      { numRuns: 1_000 },
    );
  });
});
