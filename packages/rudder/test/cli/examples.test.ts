// The built bin, as people and agents run it: every command in scope, both spellings, words and JSON.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

let test: TestHaven;
beforeAll(async () => {
  test = await makeProject(42);
});
afterAll(() => test.remove());

async function ok(line: string, env: Readonly<Record<string, string>> = {}) {
  const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? "");
  const done = await test.bin(argv, env);
  expect(done, line).toMatchObject({ code: 0 });
  return done;
}

describe("the documented commands, as written", () => {
  it("R-33 assign:claim, context:load, task log, artifact:edit and assign:release, one after the other", async () => {
    const ada = { RUDDER_AGENT: "ada" };
    expect((await ok("assign:claim T042", ada)).stdout).toContain("T042  claimed: ada");
    expect(test.read("runs/T042.run")).toContain("holder: ada");
    expect((await ok("context:load T042", ada)).stdout).toContain("Do number 42.");
    await ok('task:log T042 "Found workaround for API issue" --tip -f src/api.js', ada);
    await ok('task log T042 "Implemented feature X" --level info', ada);
    expect((await ok("deps show T042")).stdout).toContain("T042 Task 42: waits for nothing");
    expect((await ok("task show T042")).stdout).toContain("held by   ada");
    expect((await ok("task show-memory T042")).stdout).toContain(
      "TIP T042 Found workaround for API issue (src/api.js)",
    );
    await ok('artifact:edit T042 --section Notes --append "Added new note"', ada);
    expect(test.read(taskPath(42))).toContain("## Notes\n\nAdded new note\n");
    expect((await ok("assign:release T042", ada)).stdout).toBe("T042  released, Done\n");
    expect(test.read(taskPath(42))).toMatch(/status: Done\nassignee: ada\n[\s\S]*done_at: \d{4}-/);
    expect(test.read("assignments/T042.yaml")).toMatch(/status: complete[\s\S]*success: true/);
    expect((await ok("status")).stdout).toContain("1 Done");
    expect((await ok("versions")).code).toBe(0);
  });

  it("X-24 group:command and group command are the same, and --json goes anywhere", async () => {
    const plain = JSON.parse((await ok("deps ready --json")).stdout);
    expect(JSON.parse((await ok("--json deps:ready")).stdout)).toEqual(plain);
    expect(JSON.parse((await ok("deps --json ready")).stdout)).toEqual(plain);
    expect(plain.length).toBe(20);
  });

  it("RU-01 --root and SAILING_PROJECT name the project from anywhere", async () => {
    writeFileSync(join(test.project, "package.json"), '{"name":"shop","version":"1.2.3"}');
    const other = join(test.dir, "elsewhere");
    mkdirSync(other, { recursive: true });
    const { spawnBin } = await import("../haven-under-test.ts");
    const byFlag = await spawnBin(["versions", "--root", test.project], { cwd: other, env: test.env() });
    expect(byFlag.stdout).toMatch(/shop\s+1\.2\.3\s+main/);
    const byEnv = await spawnBin(["versions"], { cwd: other, env: test.env({ SAILING_PROJECT: test.project }) });
    expect(byEnv.stdout).toBe(byFlag.stdout);
  });

  it("X-24 help with examples, for the program and for every command of every group", async () => {
    const program = await ok("--help");
    for (const name of [
      "init",
      "status",
      "versions",
      "prd",
      "epic",
      "task",
      "deps",
      "assign",
      "context",
      "memory",
      "artifact",
    ]) {
      expect(program.stdout).toContain(`  ${name}`);
    }
    const scope: Readonly<Record<string, readonly string[]>> = {
      prd: ["create", "list", "show", "update"],
      epic: ["create", "list", "show", "update"],
      task: ["create", "list", "show", "update", "next", "start", "done", "block", "log", "targets", "show-memory"],
      deps: ["add", "remove", "show", "tree", "ready", "critical", "validate"],
      assign: ["claim", "release", "renew", "list"],
      context: ["load"],
      memory: ["show", "sync", "add"],
      artifact: ["show", "edit", "check", "uncheck"],
    };
    for (const [group, names] of Object.entries(scope)) {
      for (const name of names) {
        const help = await test.run([group, name, "--help"]);
        expect(help.exitCode, `${group} ${name}`).toBe(0);
        expect(help.text, `${group} ${name}`).toMatch(/Usage: rudder[\s\S]*Examples:\n {2}\$ /);
      }
    }
  });

  it("X-24 completion scripts know every command, and bash can run them", async () => {
    const { execFileSync } = await import("node:child_process");
    const bash = (await ok("completion bash")).stdout;
    const complete = (words: readonly string[]): string => {
      const list = words.map((word) => `'${word}'`).join(" ");
      const script = `${bash}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _rudder; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" });
    };
    expect(complete(["rudder", "de"])).toBe("deps\n");
    expect(complete(["rudder", "deps", "re"])).toBe("remove\nready\n");
    expect(complete(["rudder", "task", "log", "--ti"])).toBe("--tip\n");
    expect((await ok("completion fish")).stdout).toContain("complete -c rudder -n __fish_use_subcommand -a deps");
    expect((await ok("completion zsh")).stdout).toContain("bashcompinit");
  });
});

describe("which project this is", () => {
  it("RU-01 the nearest .sailing/ above, and never one beyond the repository", async () => {
    const { locate } = await import("../../src/index.ts");
    const outer = join(test.dir, "outer");
    const inner = join(outer, "inner");
    for (const dir of [join(outer, ".sailing"), join(inner, "src/deep")]) mkdirSync(dir, { recursive: true });
    const projectOf = async (cwd: string) => (await locate({ cwd, haven: "/x", home: test.dir })).project;
    expect(await projectOf(join(inner, "src/deep"))).toBe(outer);
    writeFileSync(join(inner, ".git"), "gitdir: elsewhere\n");
    expect(await projectOf(join(inner, "src/deep"))).toBe(outer);
    rmSync(join(inner, ".git"));
    mkdirSync(join(inner, ".git"));
    expect(await projectOf(join(inner, "src/deep"))).toBe(outer); // empty, and so no repository
    execFileSync("git", ["init", "-q", inner]);
    expect(await projectOf(join(inner, "src/deep"))).toBe(inner);
    mkdirSync(join(inner, "src/.sailing"));
    expect(await projectOf(join(inner, "src/deep"))).toBe(join(inner, "src"));
  });
});

describe("artefacts", () => {
  it("RU-04 RU-05 RU-07 created artefacts lie where they belong, with every field", async () => {
    const fresh = await makeProject(0);
    try {
      const prd = await fresh.json(["prd", "create", "Pay & go: $(id) ../../x"]);
      expect(prd).toMatchObject({ id: "PRD-002", path: "artefacts/prds/PRD-002-pay-go-id-x/prd.md" });
      const epic = await fresh.json(["epic", "create", "PRD-2", "Cards"]);
      expect(epic).toMatchObject({ id: "E002", path: "artefacts/prds/PRD-002-pay-go-id-x/epics/E002-cards.md" });
      expect(fresh.read(epic.path)).toMatch(/^milestone:$/m);
      const argv = [
        "task",
        "create",
        "PRD-002/E002",
        "Été 🚀: parse",
        "--effort",
        "xl",
        "--priority",
        "HIGH",
        "--tag",
        "a,b",
      ];
      const first = await fresh.json([...argv, "--target", "core=1.20", "--description", "Why."]);
      expect(first).toMatchObject({ id: "T001", path: "artefacts/prds/PRD-002-pay-go-id-x/tasks/T001-ete-parse.md" });
      const second = await fresh.json(["task", "create", "E2", "Next", "--blocked-by", "t1"]);
      const shown = await fresh.json(["task", "show", "T001"]);
      expect(shown).toMatchObject({
        title: "Été 🚀: parse",
        status: "Not Started",
        prd: "PRD-002",
        epic: "E002",
        effort: "XL",
        priority: "high",
        tags: ["a", "b"],
        target_versions: { core: "1.20" },
        blocks: ["T002"],
      });
      expect(Object.keys(shown.fields)).toEqual(
        "id title parent status assignee effort priority blocked_by stories tags target_versions started_at done_at blocked_at cancelled_at".split(
          " ",
        ),
      );
      expect(shown.body).toContain("Why.");
      expect(second.blocked_by).toEqual(["T001"]);
      expect((await fresh.json(["deps", "validate"])).findings).toEqual([]);
      expect(fresh.read(prd.path)).toMatch(/branching: flat[\s\S]*milestones: \[\]/);
    } finally {
      fresh.remove();
    }
  });

  it("RU-05 update, deps and boxes change single lines of a file that a person wrote", async () => {
    const text = taskText(7, { "x-mine": "{ keep: [me] } # yes" }).replace(
      "status: Not Started",
      "status:   Not Started  # soon",
    );
    test.write(taskPath(7), text);
    await ok('task update T007 --title "Shiny: new" --status wip --priority high');
    await ok("deps add T007 --blocked-by T8,T009,T9");
    await ok("deps remove T007 --blocked-by T008");
    await ok('artifact check T007 "unit tests"');
    const before = text.split("\n");
    const after = test.read(taskPath(7)).split("\n");
    const changed = before.map((line, index) => [line, after[index]]).filter(([a, b]) => a !== b);
    expect(changed.slice(0, 4)).toEqual([
      ["title: Task 7", 'title: "Shiny: new"'],
      ["status:   Not Started  # soon", "status:   In Progress  # soon"],
      ["priority: normal", "priority: high"],
      ["blocked_by: []", "blocked_by: [T009]"],
    ]);
    expect(after.filter((line) => !before.includes(line)).slice(4)).toEqual([
      expect.stringMatching(/^started_at: 20/),
      "- [x] unit tests",
    ]);
    expect(before.filter((line) => !after.includes(line))).toHaveLength(5);
  });

  it("RU-10 RU-09 memory is added to its sections, and sync moves a task's lines into its epic's log", async () => {
    await ok('memory add E001 "UTC everywhere"');
    await ok('memory add T003 "Ask ada" --section escalation');
    expect(test.read("memory/E001.md")).toMatch(
      /## Agent Context\n\n- UTC everywhere\n[\s\S]*## Escalation\n\n- Ask ada\n/,
    );
    await ok('memory add PRD-001 "Shared ids" --section Decisions');
    expect(test.read("memory/PRD-001.md")).toContain("## Cross-Epic Patterns");
    await ok('task log T003 "Look here" --warn -c "npm test" -s "a\nb"');
    await ok("memory sync T003");
    expect(test.read("memory/E001.log")).toMatch(
      /^\S+Z \[T003\] \[WARN\] Look here \{\{\{"snippet":"a\\nb","command":"npm test"\}\}\}$/m,
    );
    expect((await ok("memory show E001")).stdout).toContain("WARN T003 Look here [$ npm test]");
    expect((await ok("memory sync T003")).stdout).toBe("nothing to sync\n");
  });

  it("X-25 task targets shows the task's own target versions beside the current ones", async () => {
    writeFileSync(
      join(test.project, "components.yaml"),
      "components:\n  core: { file: package.json, extractor: json, path: version, main: true }\n  docs: { file: VERSION, extractor: text }\n  api: { file: api.txt, extractor: regex, pattern: 'v=(\\S+)' }\n  gone: { file: ../../etc/passwd, extractor: text }\n",
    );
    writeFileSync(join(test.project, "package.json"), '{"version":"1.2.3"}');
    writeFileSync(join(test.project, "VERSION"), "4.5\n");
    writeFileSync(join(test.project, "api.txt"), "a\nv=7.0 b\n");
    await ok("task update T005 --target core=1.30 --target api=8.0");
    expect((await test.json(["task", "targets", "T005"])).targets).toEqual([
      { component: "core", current: "1.2.3", target: "1.30" },
      { component: "api", current: "7.0", target: "8.0" },
    ]);
    const versions = await test.json(["versions"]);
    expect(versions).toContainEqual({ name: "docs", version: "4.5", main: false });
    expect(versions).toContainEqual({ name: "gone", version: null, main: false });
  });

  it("RU-16 next, tree, critical and validate --fix", async () => {
    const fresh = await makeProject(6);
    try {
      fresh.write(taskPath(2), taskText(2, { blocked_by: "[T001]" }));
      fresh.write(taskPath(3), taskText(3, { blocked_by: "[T002, T404, T003]" }));
      expect((await fresh.json(["task", "next"])).id).toBe("T001");
      expect((await fresh.json(["deps", "critical"]))[0].ids).toEqual(["T001", "T002", "T003"]);
      expect((await fresh.run(["deps", "tree", "T003"])).text).toContain("├─ T002 [Not Started] Task 2\n│  └─ T001");
      const { fixed, findings } = await fresh.json(["deps", "validate", "--fix"]);
      expect(fixed.map((one: { code: string }) => one.code)).toEqual(["missing_ref", "self_ref"]);
      expect(findings).toEqual([]);
      expect(fresh.read(taskPath(3))).toContain("blocked_by: [T002]\n");
      // One task, one note, however much is wrong with it.
      await fresh.run(["assign", "claim", "T004"], { agent: "ada" });
      fresh.write(taskPath(4), fresh.read(taskPath(4)).replace(/^blocked_by:.*$/m, "blocked_by: [T404, T004]"));
      expect((await fresh.run(["deps", "validate", "--fix"])).notes).toEqual(["T004 was left alone: ada holds it"]);
    } finally {
      fresh.remove();
    }
  });
});
