// A release that cannot be made gives its reasons before anything is built; the changelog has the form that it needs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { refusals } from "../scripts/release.mjs";
import { root } from "./source-graph.ts";

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const GOOD = "# Changelog\n\n## 1.2.0\n- One.\n\n## Unreleased\n";

it("a clean tree with its version in the changelog and no tag of it can be released", () => {
  expect(refusals({ version: "1.2.0", changelog: GOOD, tags: ["v1.1.0"], dirty: [] })).toEqual([]);
});

it("each reason against a release is one line that says what to do", () => {
  const given = { version: "1.2.0", changelog: GOOD, tags: [], dirty: [] };
  const reasonsOf = (more: object) => refusals({ ...given, ...more });
  expect(reasonsOf({ version: "1.2" })).toEqual([
    'package.json: the version is "1.2"; it should be like 0.3.0',
    'CHANGELOG.md: there is no "## 1.2" with lines below it',
  ]);
  expect(reasonsOf({ changelog: `${GOOD}\n- Two.\n- Three.\n` })).toEqual([
    "CHANGELOG.md: 2 lines are under Unreleased; move them below 1.2.0",
  ]);
  expect(reasonsOf({ changelog: "## 1.2.0\n- One.\n" })).toEqual([
    'CHANGELOG.md: there is no "## Unreleased"; others add their lines there',
  ]);
  expect(reasonsOf({ tags: ["v1.2.0"] })).toEqual([
    "the tag v1.2.0 is there already: raise the version in package.json",
  ]);
  expect(reasonsOf({ dirty: [" M a.ts"] })).toEqual(["the work tree has changes:  M a.ts"]);
});

it("the changelog has the version that is made, in groups, and Unreleased at its end", () => {
  const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(headings).toContain(version);
  expect(headings.at(-1)).toBe("Unreleased");
  const [, own = ""] = changelog.split(/^## /m);
  expect(own.match(/^### /gm)?.length).toBeGreaterThan(3);
});

it("`npm run release -- --check` builds and tags nothing", () => {
  const before = spawnSync("git", ["tag"], { cwd: root, encoding: "utf8" }).stdout;
  const words = [join(root, "scripts", "release.mjs"), "--check"];
  const done = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  expect(done.stdout + done.stderr).toMatch(/^release: /);
  expect(done.status).toBe(done.stderr === "" ? 0 : 1);
  expect(spawnSync("git", ["tag"], { cwd: root, encoding: "utf8" }).stdout).toBe(before);
});
