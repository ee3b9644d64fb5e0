// What real search programs print, each in the forms that their options give it, over files whose names are hard to tell
// from what stands behind them. Every place must be read exactly.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, describe, expect, it } from "vitest";
import { readSearch } from "../../src/search/read-search.ts";
import { parseSearchCommand } from "../../src/search/search-command.ts";

const root = mkdtempSync(join(tmpdir(), "jeeves-real-commands-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const STAMPED = Array.from({ length: 12 }, (_, i) => `app-2026-01-${10 + i}T1${i % 3}:${30 + (i % 2)}:4${i % 10}.log`);
const ODD = [
  "a.ts",
  "b c.ts",
  "d:12:e.ts",
  "x:1:y:2:z.ts",
  "run:17:out",
  "x-12-y.ts",
  "12:34:56.ts",
  "weird: 5, 6",
  "a:9",
  "logs/2026-01-11T12:30:41/out.log",
  "C:/windows.ts",
  "spec (7)",
  "[3 more matches, path: lines]",
];
const TEXTS = ["const v = normalizePath(a)", "normalizePath: 5:6:7:", "7:normalizePath:8: x-9-y", "-3-normalizePath"];

interface Corpus {
  readonly cwd: string;
  /** `path:line` of every match, sorted. */
  readonly truth: readonly string[];
}

function makeCorpus(name: string, files: readonly string[], perFile: (index: number) => number): Corpus {
  const cwd = join(root, name);
  const truth: string[] = [];
  files.forEach((file, index) => {
    const path = join(cwd, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    const lines = Array.from({ length: 200 }, (_, line) => `// filler ${line}: 12:30:45.x:7: y`);
    for (let count = 0; count < perFile(index); count++) {
      const line = 3 + count * 7 + index;
      lines[line - 1] = `${TEXTS[count % TEXTS.length]} ${line}`;
      truth.push(`src/${file}:${line}`);
    }
    writeFileSync(path, `${lines.join("\n")}\n`);
  });
  return { cwd, truth: truth.sort() };
}

const stamped = makeCorpus("stamped", STAMPED, () => 20);
const singles = makeCorpus("singles", STAMPED, () => 1);
const odd = makeCorpus("odd", ODD, () => 20);
const mixed = makeCorpus(
  "mixed",
  [...STAMPED, ...ODD.filter((name) => !/^x:|^a:9|^d:|^run:/.test(name))],
  (i) => 1 + (i % 5),
);

function placesFrom(command: string, cwd: string): string[] {
  const env = { PATH: `${dirname(rgPath)}:${process.env.PATH}`, LC_ALL: "C.UTF-8" };
  const { stdout } = spawnSync("/bin/sh", ["-c", command], { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  const { lines } = readSearch(stdout, { ...parseSearchCommand(command), focus: "", searched: command });
  expect(lines.unit).toBe("matches");
  const places = lines.entries.flatMap((entry) => (entry.kind === "match" ? [`${entry.path}:${entry.line}`] : []));
  return [...new Set(places)].sort();
}

const COMMANDS = [
  "grep -rn normalizePath src",
  "rg -n normalizePath src",
  "rg --vimgrep normalizePath src",
  "rg --column normalizePath src",
  "git grep --no-index -n normalizePath",
  "git grep --no-index -n --column normalizePath",
  "grep -rn -C2 normalizePath src",
  "rg -n -C2 normalizePath src",
  "grep -rnb normalizePath src",
  "rg -nb --column normalizePath src",
  "grep -rnb -C1 normalizePath src",
  "grep -rnT normalizePath src",
  "grep -rnTb -C1 normalizePath src",
  "rg --json normalizePath src",
  "rg --json -C2 normalizePath src",
  "grep -rn normalizePath src | sort -r",
];

describe("X-58 every match of a real search is read where it is", () => {
  for (const [name, corpus] of Object.entries({ stamped, singles, odd, mixed })) {
    it.each(COMMANDS)(`${name} names: %s`, (command) => {
      expect(placesFrom(command, corpus.cwd)).toEqual(corpus.truth);
    });
  }

  it.each(["rg -no normalizePath src", "rg -n normalizePath src; echo", "grep -rn -C1 normalizePath src; echo"])(
    "time-stamped names where the form leaves more to guess: %s",
    (command) => {
      expect(placesFrom(command, stamped.cwd)).toEqual(stamped.truth);
    },
  );

  it("odd names where nothing is known of the form", () => {
    const command = "rg -n normalizePath src; echo";
    expect(placesFrom(command, odd.cwd)).toEqual(odd.truth);
  });

  it("the file of a match without a number is read, too", () => {
    const command = "grep -r normalizePath src";
    const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
    const { stdout } = spawnSync("/bin/sh", ["-c", command], { cwd: stamped.cwd, env, encoding: "utf8" });
    const { entries } = readSearch(stdout, { ...parseSearchCommand(command), focus: "", searched: command }).lines;
    const files = new Set(entries.map((entry) => (entry.kind === "match" ? entry.path : entry.kind)));
    expect([...files].sort()).toEqual(STAMPED.map((file) => `src/${file}`).sort());
  });
});
