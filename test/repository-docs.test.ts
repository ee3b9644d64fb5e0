// The documents for contributors agree with the repository.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withIndex } from "../scripts/decisions-index.mjs";
import { root } from "./source-graph.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

it("the index of docs/decisions.md names every decision with its date and status (`npm run decisions` makes it)", () => {
  const page = read("docs/decisions.md");
  expect(page).toBe(withIndex(page));
  expect(page.match(/^\| \d{4}-\d{2}-\d{2} \| \[/gm)?.length).toBe(page.match(/^## /gm)?.length);
});

it("a decision has at most ten lines; its tables are in docs/evidence.md", () => {
  const entries = read("docs/decisions.md").split(/^## /m).slice(1);
  const long = entries.filter(
    (entry) =>
      entry
        .split("\n")
        .slice(1)
        .filter((line) => line !== "").length > 10,
  );
  expect(long.map((entry) => entry.split("\n")[0])).toEqual([]);
});

it("an entry that names a decision that does not exist, has no date or repeats a title is refused", () => {
  const page = (entries: string) =>
    `<!-- index: made by \`npm run decisions\` -->\n<!-- end of index -->\n\n${entries}`;
  const made = withIndex(page("## 2026-01-01 · `a` is b\nSuperseded by: c\nWhy.\n\n## 2026-01-02 · c\nWhy.\n"));
  expect(made).toContain("| 2026-01-01 | [`a` is b](#2026-01-01--a-is-b) | superseded by [c](#2026-01-02--c) |");
  expect(made).toContain("| 2026-01-02 | [c](#2026-01-02--c) | in force |");
  expect(withIndex(made)).toBe(made);
  expect(() => withIndex(page("## 2026-01-01 · a\nSuperseded by: z\n"))).toThrow('names "z"');
  expect(() => withIndex(page("## a\nWhy.\n"))).toThrow('"a" should be "YYYY-MM-DD');
  expect(() => withIndex(page("## 2026-01-01 · a\n\n## 2026-01-02 · a\n"))).toThrow('the title "a"');
});

it("the workflow runs what must pass, by actions pinned to a major version, and needs no secret", () => {
  const workflow = read(".github/workflows/ci.yml");
  const { scripts } = JSON.parse(read("package.json"));
  expect(workflow).toMatch(/^ {6}- run: \.ci\/run$/m);
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, name = ""]) => name);
  expect(actions).toContainEqual(expect.stringMatching(/^actions\/checkout@/));
  expect(actions.filter((name) => !/^actions\/[a-z-]+@v\d+$/.test(name))).toEqual([]);
  expect(workflow).not.toMatch(/secrets\b|GITHUB_TOKEN/);
  const named = [...workflow.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name);
  expect(named).toContain("test");
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it("the files that AGENTS.md, CONTRIBUTING.md and the workflow name are there", () => {
  const pages = ["AGENTS.md", "CONTRIBUTING.md", ".github/workflows/ci.yml"].map(read).join("\n");
  const PATH = /(?<![\w./-])(?:packages|test|docs|scripts|\.github|\.ci)\/[\w./-]*\w|\b[A-Z]{4,}\.md\b/g;
  const named = [...new Set(pages.match(PATH))];
  expect(named).toContain("packages/base/src/clients/clients.ts");
  const starts = /^test\/repository$|\/dist\//;
  expect(named.filter((path) => !starts.test(path) && !existsSync(join(root, path)))).toEqual([]);
  expect(read("AGENTS.md").trim().split("\n").length).toBeLessThanOrEqual(12);
});

it("`.nvmrc` names a Node that package.json accepts", () => {
  const [major = 0, minor = 0] = read(".nvmrc").trim().split(".").map(Number);
  const [, least = "", leastMinor = ""] = /^>=(\d+)\.(\d+)$/.exec(JSON.parse(read("package.json")).engines.node) ?? [];
  expect([major, minor].every(Number.isInteger)).toBe(true);
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(Number(least) * 1000 + Number(leastMinor));
});
