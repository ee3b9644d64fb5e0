// which project a directory belongs to decides who may read its stored texts.
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProject } from "../src/index.ts";
import { scratchRoot } from "./scratch.ts";

const HEAD = "ref: refs/heads/main\n";

it("X-61 the nearest repository upwards is the project: a checkout, a worktree, a submodule", async () => {
  const { dir } = await scratchRoot({
    "repo/.git/HEAD": HEAD,
    "repo/src/a.ts": "",
    "repo/module/.git": "gitdir: ../.git/modules/module\n",
    "repo/module/src/b.ts": "",
  });
  expect(await findProject(join(dir, "repo/src"))).toBe(join(dir, "repo"));
  expect(await findProject(join(dir, "repo/module/src"))).toBe(join(dir, "repo/module"));
  expect(await findProject(join(dir, "repo/gone"))).toBe(join(dir, "repo"));
});

it("X-61 an empty .git makes no project", async () => {
  const { dir } = await scratchRoot({ "work/src/a.ts": "" });
  mkdirSync(join(dir, ".git"));
  expect(await findProject(join(dir, "work/src"))).toBe(join(dir, "work/src"));
});

it.runIf(process.getuid?.() === 0)("X-61 a repository that another user put above makes no project", async () => {
  const { dir } = await scratchRoot({ ".git/HEAD": HEAD, "work/src/a.ts": "" });
  chownSync(join(dir, ".git"), 65_533, 65_533);
  expect(await findProject(join(dir, "work/src"))).toBe(join(dir, "work/src"));
  // The whole tree is theirs: root works in it as they would.
  for (const path of ["work", "work/src"]) chownSync(join(dir, path), 65_533, 65_533);
  expect(await findProject(join(dir, "work/src"))).toBe(dir);
});
