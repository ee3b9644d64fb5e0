// Where a project's haven is: by its id, by the hashes of older havens, and never another project's.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Outcome, runRudder } from "../../src/index.ts";
import { type Json, makeTestHaven } from "../haven-under-test.ts";

const ORIGIN = "https://example.org/shop.git";
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

interface Home {
  readonly dir: string;
  readonly havens: string;
  project(name: string, options?: { readonly git?: boolean }): string;
  git(project: string, ...words: readonly string[]): void;
  run(project: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome>;
  json(project: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Json>;
}

/** A user's home without RUDDER_HAVEN, and projects in it. */
async function makeHome(): Promise<Home> {
  const { dir, remove } = await makeTestHaven({ init: false });
  onTestFinished(remove);
  const home: Home = {
    dir,
    havens: join(dir, ".sailing/havens"),
    project(name, options = {}) {
      const path = join(dir, name);
      mkdirSync(path, { recursive: true });
      if (options.git !== false) home.git(path, "init", "-q");
      return path;
    },
    git: (project, ...words) =>
      void execFileSync("git", ["-C", project, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        stdio: "pipe",
      }),
    run: (project, words, env = {}) =>
      runRudder(["--json", ...words], { cwd: project, env: { HOME: dir, PATH: process.env.PATH, ...env } }),
    async json(project, words, env) {
      const outcome = await home.run(project, words, env);
      if (outcome.exitCode !== 0) throw new Error(outcome.text);
      return outcome.json;
    },
  };
  return home;
}

/** As `init` left it before there were ids. */
async function makeOlder(home: Home, project: string, name: string): Promise<string> {
  const haven = join(home.havens, hash(name));
  await home.json(project, ["init"], { RUDDER_HAVEN: haven });
  rmSync(join(haven, "projects.json"), { force: true });
  await home.json(project, ["prd", "create", "Shop"], { RUDDER_HAVEN: haven });
  expect(existsSync(join(project, ".sailing/haven"))).toBe(false);
  return haven;
}

const idOf = (project: string): string => readFileSync(join(project, ".sailing/haven"), "utf8").trim();

describe("a haven's id", () => {
  it("X-64 init, work, then a remote: there was no haven any more", async () => {
    const home = await makeHome();
    const project = home.project("repo/deep");
    const made = await home.json(project, ["init"]);
    expect(idOf(project)).toMatch(/^[0-9a-f]{12}$/);
    expect(made).toMatchObject({ haven: join(home.havens, idOf(project)), project_hash: idOf(project) });
    expect(made.made).toContain(join(project, ".sailing/haven"));
    await home.json(project, ["prd", "create", "Shop"]);
    for (const change of [
      ["add", "origin", ORIGIN],
      ["set-url", "origin", "https://example.org/moved.git"],
      ["remove", "origin"],
    ]) {
      home.git(project, "remote", ...change);
      expect(await home.json(project, ["prd", "list"])).toMatchObject([{ id: "PRD-001" }]);
      expect((await home.json(project, ["init"])).made).toEqual([]);
    }
  });

  it("X-64 a project that is moved, cloned or checked out a second time keeps its haven", async () => {
    const home = await makeHome();
    const project = home.project("one");
    const { haven } = await home.json(project, ["init"]);
    home.git(project, "add", ".");
    home.git(project, "commit", "-qm", "begin");
    home.git(project, "worktree", "add", "-q", join(home.dir, "tree"));
    home.git(home.dir, "clone", "-q", project, join(home.dir, "clone"));
    expect(await home.json(join(home.dir, "tree"), ["init"])).toMatchObject({ haven });
    expect(await home.json(join(home.dir, "clone"), ["init"])).toMatchObject({ haven });
    rmSync(join(home.dir, "tree"), { recursive: true });
    renameSync(project, join(home.dir, "two"));
    expect(await home.json(join(home.dir, "two"), ["init"])).toMatchObject({ haven });
  });

  it("X-64 an empty .git, and what lies above the user's home, swallow no project", async () => {
    const home = await makeHome();
    const project = home.project("work/plain", { git: false });
    mkdirSync(join(home.dir, "work/.git"));
    await home.json(project, ["init"]);
    expect(idOf(project)).toMatch(/^[0-9a-f]{12}$/);
    const own = { HOME: home.project("home", { git: false }) };
    const within = home.project("home/within", { git: false });
    mkdirSync(join(home.dir, ".sailing"), { recursive: true });
    home.git(home.dir, "init", "-q");
    await home.json(within, ["init"], own);
    expect(idOf(within)).toMatch(/^[0-9a-f]{12}$/);
  });

  it.each([
    ["no hex", "../../etc"],
    ["too short", "0123456789a"],
    ["too long", "0".repeat(33)],
    ["capitals", "0123456789AB"],
    ["two lines", "0123456789ab\n0123456789ab"],
    ["nothing", ""],
  ])("X-64 an id that is none is refused by name: %s", async (_, text) => {
    const home = await makeHome();
    const project = home.project("repo");
    mkdirSync(join(project, ".sailing"));
    writeFileSync(join(project, ".sailing/haven"), text);
    for (const words of [["status"], ["init"]]) {
      const refused = await home.run(project, words);
      expect(refused.exitCode).toBe(1);
      expect(refused.json).toMatchObject({ error: { code: "broken_state" } });
      expect(refused.text).toContain(`${project}/.sailing/haven holds`);
    }
    expect(existsSync(home.havens)).toBe(false);
    // RUDDER_HAVEN wins over everything.
    expect(await home.json(project, ["init"], { RUDDER_HAVEN: join(home.dir, "h") })).toMatchObject({
      haven: join(home.dir, "h"),
    });
  });

  it("X-64 a link or a pipe in the place of the id is neither followed nor waited for", async () => {
    const home = await makeHome();
    const project = home.project("repo");
    mkdirSync(join(project, ".sailing"));
    writeFileSync(join(home.dir, "elsewhere"), "0123456789ab\n");
    symlinkSync(join(home.dir, "elsewhere"), join(project, ".sailing/haven"));
    expect((await home.run(project, ["init"])).text).toContain("a link");
    rmSync(join(project, ".sailing/haven"));
    execFileSync("mkfifo", [join(project, ".sailing/haven")]);
    expect((await home.run(project, ["init"])).json).toMatchObject({ error: { code: "broken_state" } });
  });

  it("X-64 an id that two projects share is refused, and both are named", async () => {
    const home = await makeHome();
    const first = home.project("first", { git: false });
    const { haven } = await home.json(first, ["init"]);
    const second = home.project("second");
    cpSync(join(first, ".sailing"), join(second, ".sailing"), { recursive: true });
    for (const words of [["status"], ["init"], ["task", "list"]]) {
      const refused = await home.run(second, words);
      expect(refused.exitCode).toBe(1);
      expect(refused.json).toMatchObject({
        error: { code: "denied", projects: [first, second], haven_id: idOf(first) },
      });
      expect(refused.text).toContain("rudder init");
    }
    expect(await home.json(first, ["status"])).toBeDefined();
    // What the hint says: they are one project, or they are two.
    const third = home.project("third");
    cpSync(join(first, ".sailing"), join(third, ".sailing"), { recursive: true });
    await home.json(third, ["init"], { RUDDER_HAVEN: haven });
    expect(await home.json(third, ["init"])).toMatchObject({ haven });
    rmSync(join(second, ".sailing/haven"));
    expect((await home.json(second, ["init"])).haven).not.toBe(haven);
  });
});

describe("older havens", () => {
  it("RU-19 X-64 one that was made before there were ids is found by the origin's or the path's hash, and adopted", async () => {
    for (const isNamedByOrigin of [false, true]) {
      const home = await makeHome();
      const project = home.project("repo");
      if (isNamedByOrigin) home.git(project, "remote", "add", "origin", ORIGIN);
      const haven = await makeOlder(home, project, isNamedByOrigin ? ORIGIN : project);
      if (!isNamedByOrigin) home.git(project, "remote", "add", "origin", ORIGIN);
      expect(await home.json(project, ["prd", "list"])).toMatchObject([{ id: "PRD-001" }]);
      expect(join(home.havens, idOf(project))).toBe(haven);
      home.git(project, "remote", "set-url", "origin", "https://example.org/moved.git");
      expect(await home.json(project, ["prd", "list"])).toMatchObject([{ id: "PRD-001" }]);
    }
  });

  it("RU-19 another repository's environment, and a git that was stopped, lead to no other haven", async () => {
    const home = await makeHome();
    const project = home.project("repo");
    home.git(project, "remote", "add", "origin", ORIGIN);
    const haven = await makeOlder(home, project, ORIGIN);
    rmSync(join(project, ".sailing"), { recursive: true }); // so that the hash is asked for, again and again
    execFileSync("git", ["init", "-q", "--bare", join(home.dir, "other.git")]);
    const show = ["memory", "show", "project"];
    expect(await home.json(project, show, { GIT_DIR: join(home.dir, "other.git") })).toBeDefined();
    const bin = join(home.dir, "stopped");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
    const stopped = await home.run(project, ["status"], { PATH: `${bin}:${process.env.PATH}` });
    expect(stopped).toMatchObject({ exitCode: 1, json: { error: { code: "busy" } } });
    expect(readFileSync(join(haven, "artefacts/MEMORY.md"), "utf8")).toContain("## Architecture Decisions");
  });

  it("X-64 a new project at the old place of a moved one gets a haven of its own", async () => {
    const home = await makeHome();
    const project = home.project("repo");
    const haven = await makeOlder(home, project, project);
    await home.json(project, ["status"]);
    renameSync(project, join(home.dir, "moved"));
    await home.json(join(home.dir, "moved"), ["status"]);
    home.project("repo");
    expect((await home.run(project, ["status"])).json).toMatchObject({ error: { code: "no_haven" } });
    expect((await home.json(project, ["init"])).haven).not.toBe(haven);
    expect(await home.json(join(home.dir, "moved"), ["prd", "list"])).toMatchObject([{ id: "PRD-001" }]);
  });
});
