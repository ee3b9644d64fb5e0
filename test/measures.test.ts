// How the code reads, as `npm run measures` counts it, in every package.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commentWords, exportsIn } from "../scripts/measures.mjs";
import { root } from "./source-graph.ts";

interface Figures {
  readonly package: string;
  readonly entry_points: number;
  readonly entry_points_documented: number;
  readonly dialect_per_1000: number;
  readonly large_folders: number;
}

it("a doc comment belongs to the declaration that it stands above", () => {
  const source = "/** One. */\nexport const one = 1;\nexport function two() {}\n// Three.\nexport interface Three {}\n";
  expect(exportsIn(source)).toEqual([
    { name: "one", isDocumented: true },
    { name: "two", isDocumented: false },
    { name: "Three", isDocumented: false },
  ]);
});

it("words are counted in comments alone: not in strings, and not in globs that look like comments", () => {
  const source = 'const a = "whoever"; // Nobody knows.\nconst b = "x/*/told"; /* It says so. */\n';
  expect(commentWords(source)).toEqual({ words: 5, dialect: ["Nobody", "says"] });
});

it("all entry points have a doc comment, two words in a thousand are of the dialect at most, no folder is too large and nothing imports in a circle", () => {
  const done = spawnSync(process.execPath, [join(root, "scripts/measures.mjs"), "--json"], { encoding: "utf8" });
  expect(done.stderr).toBe("");
  const { packages, cycles }: { packages: Figures[]; cycles: number } = JSON.parse(done.stdout);
  expect(cycles).toBe(0);
  expect(packages.filter((each) => each.large_folders > 0)).toEqual([]);
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter((each) => each.entry_points_documented < 1 || each.dialect_per_1000 > 2)).toEqual([]);
});
