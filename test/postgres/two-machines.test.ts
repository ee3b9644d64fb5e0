// A haven that machines share, through the command line: set up, joined, worked on, edited, exported, moved there and back.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { moveToDatabase, moveToFiles } from "../../packages/rudder/src/haven/move/move-haven.ts";
import { freshUrl, openForTest } from "./database-under-test.ts";
import { fill, type Machine, machineForTest } from "./machines.ts";

const REMOTE = "https://ada:secret@git.example.org/team/shop.git";
const idOf = (machine: Machine): string => readFileSync(join(machine.project, ".sailing/haven"), "utf8").trim();
const havenOf = (machine: Machine): string => join(machine.home, ".sailing/havens", idOf(machine));

/** A haven made on one machine, and a second machine with the committed id. */
async function team() {
  const url = await freshUrl();
  const a = machineForTest(url, { remote: REMOTE });
  await a.json(["init"]);
  await fill(a);
  const b = machineForTest(url, { remote: "git@git.example.org:team/shop.git" });
  writeFileSync(join(b.project, ".sailing/haven"), `${idOf(a)}\n`);
  return { url, a, b };
}

describe("a haven that machines share", () => {
  it("X-65 what one machine claims and logs, another one sees, and is refused", async () => {
    const { a, b } = await team();
    await a.json(["assign", "claim", "T001", "--quiet"], { RUDDER_AGENT: "ada" });
    await a.json(["task", "log", "T001", "The API wants UTC", "--tip"], { RUDDER_AGENT: "ada" });
    const refused = await b.run(["--json", "assign", "claim", "T001"], { RUDDER_AGENT: "bob" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "held" } } });
    expect(refused.text).toContain("ada");
    expect(JSON.stringify(await b.json(["task", "show-memory", "T001"]))).toContain("The API wants UTC");
    expect((await b.json(["assign", "claim", "T002", "--quiet"], { RUDDER_AGENT: "bob" })).id ?? "T002").toBe("T002");
    const leases: { task_id: string; holder: string }[] = await a.json(["assign", "list"]);
    expect(leases.map((lease) => lease.task_id)).toEqual(["T001", "T002"]);
  });

  it("X-65 a clone without the committed id is found by its remote, and gets it", async () => {
    const { url, a } = await team();
    const c = machineForTest(url, { remote: "ssh://git@git.example.org/team/shop" });
    expect((await c.json(["task", "list"])).length).toBe(3);
    expect(idOf(c)).toBe(idOf(a));
  });

  it("X-64 a project of another remote that names the haven's id is refused", async () => {
    const { url, a } = await team();
    const c = machineForTest(url, { remote: "https://elsewhere.example.org/evil/shop.git" });
    writeFileSync(join(c.project, ".sailing/haven"), `${idOf(a)}\n`);
    const refused = await c.run(["--json", "task", "list"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
    expect(refused.text).not.toContain("secret");
  });

  it("X-65 a project known by two ids is refused with both", async () => {
    const { a, b } = await team();
    writeFileSync(join(b.project, ".sailing/haven"), "abcdefabcdef\n");
    const refused = await b.run(["--json", "init"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "denied" } } });
    expect(refused.text).toContain("abcdefabcdef");
    expect(refused.text).toContain(idOf(a));
  });

  it("X-65 without the variable the same haven is refused, not begun a second time", async () => {
    const { a } = await team();
    const { JEEVES_DATABASE_URL: _, ...env } = a.env;
    Object.assign(a.env, { JEEVES_DATABASE_URL: "" });
    const refused = await a.run(["--json", "task", "list"]);
    expect(env.HOME).toBe(a.home);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "no_haven" } } });
    expect(refused.text).toContain("JEEVES_DATABASE_URL");
    expect(existsSync(join(havenOf(a), "artefacts"))).toBe(false);
  });

  it("X-65 rudder edit writes back what no one else has changed, and refuses what another machine has", async () => {
    const { a, b } = await team();
    const editor = join(a.home, "editor.sh");
    writeFileSync(editor, `#!/bin/sh\nprintf '\\nWritten by hand.\\n' >> "$1"\n`);
    chmodSync(editor, 0o755);
    expect(await a.json(["edit", "T001"], { EDITOR: editor })).toMatchObject({ changed: true });
    expect(
      (await b.json(["artifact", "show", "T001"])).text ?? JSON.stringify(await b.json(["task", "show", "T001"])),
    ).toContain("Written by hand.");
    const slow = join(a.home, "slow.mjs");
    // While the file is open, another machine changes the task.
    const other = JSON.stringify([b.project, b.env]);
    writeFileSync(
      slow,
      `import { appendFileSync } from "node:fs";
       import { execFileSync } from "node:child_process";
       const [cwd, env] = ${other};
       execFileSync(process.execPath, [${JSON.stringify(join(import.meta.dirname, "../../packages/rudder/dist/rudder.js"))}, "task", "update", "T001", "--title", "Other"], { cwd, env });
       appendFileSync(process.argv[2], "lost");`,
    );
    const refused = await a.run(["--json", "edit", "T001"], { EDITOR: `${process.execPath} ${slow}` });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "conflict" } } });
    const { file } = JSON.parse(refused.text).error;
    expect(readFileSync(file, "utf8")).toMatch(/lost$/);
  });

  it("X-65 rudder export --files gives the whole tree", async () => {
    const { a } = await team();
    await a.json(["task", "log", "T002", "a tip", "--tip"]);
    const dir = join(a.home, "tree");
    expect(await a.json(["export", "--files", dir])).toMatchObject({ artefacts: 5, lines: 1 });
    const tasks = readdirSync(join(dir, "artefacts/prds/PRD-001-shop/tasks"));
    expect(tasks).toEqual(["T001-task-1.md", "T002-task-2.md", "T003-task-3.md"]);
    expect(readFileSync(join(dir, "memory/T002.log"), "utf8")).toContain("a tip");
    const again = await a.run(["export", "--files", dir]);
    expect(again).toMatchObject({ exitCode: 2 });
  });
});

describe("haven move", () => {
  async function inFiles() {
    const url = await freshUrl();
    const a = machineForTest(undefined, { remote: REMOTE });
    await a.json(["init"]);
    await fill(a, 4);
    await a.json(["assign", "claim", "T001", "--quiet"], { RUDDER_AGENT: "ada" });
    await a.json(["task", "log", "T001", "before the move", "--tip"], { RUDDER_AGENT: "ada" });
    await a.json(["task", "log", "T002", "synced", "--tip"]);
    await a.json(["memory", "sync"]);
    await a.json(["task", "log", "T002", "not synced"]);
    await a.json(["task", "done", "T003"]);
    await a.json(["archive", "T003", "--apply"]);
    await a.json(["task", "remove", "T004"]).catch(() => a.json(["task", "remove", "T004", "--apply"]));
    const shared = { JEEVES_DATABASE_URL: url };
    return { url, a, shared };
  }
  /** What both stores must say alike. */
  async function seen(machine: Machine, env: Readonly<Record<string, string>>) {
    const ask = (argv: readonly string[]) => machine.json(argv, env);
    const exported = (await machine.run(["export"], env)).text;
    return {
      exported,
      tasks: await ask(["task", "list"]),
      memory: [await ask(["task", "show-memory", "T001"]), await ask(["task", "show-memory", "T002"])],
      holders: JSON.stringify(await ask(["assign", "list"])).match(/"ada"/g)?.length,
    };
  }

  it("X-65 carries everything into the database and back: texts, logs, archive, leases, tokens, counters, the feed", async () => {
    const { a, shared } = await inFiles();
    const before = await seen(a, {});
    expect(await a.json(["haven", "move", "--to", "postgres"], shared)).toMatchObject({ wasThere: false });
    expect(await seen(a, shared)).toEqual(before);
    // The holder goes on, others are kept out, and no number is given twice.
    const refused = await a.run(["--json", "assign", "claim", "T001"], { ...shared, RUDDER_AGENT: "bob" });
    expect(refused).toMatchObject({ json: { error: { code: "held" } } });
    expect((await a.json(["task", "create", "E001", "New"], shared)).id).toBe("T005");
    await a.json(["assign", "release", "T001", "--status", "todo"], { ...shared, RUDDER_AGENT: "ada" });
    const claimed = await a.run(["assign", "claim", "T001", "--quiet"], { ...shared, RUDDER_AGENT: "bob" });
    expect(claimed.text).toContain("token 2");
    const there = await seen(a, shared);
    expect(await a.json(["haven", "move", "--to", "files"], shared)).toMatchObject({ wasThere: false });
    expect(await seen(a, {})).toEqual(there);
    const audit = readFileSync(join(havenOf(a), "runs/audit.jsonl"), "utf8");
    const numbers = audit
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(audit).toContain('"event":"claimed"');
    // A command with the database's address is refused because the haven was moved out, or works on the files.
    const gone = await a.run(["--json", "task", "list"], shared);
    expect(gone.exitCode === 0 || gone.text.includes("moved out")).toBe(true);
  });

  it.each(["noted", "copied"] as const)(
    "X-65 a move that was killed when it had %s is finished by the same command",
    async (point) => {
      const { url, a, shared } = await inFiles();
      const before = await seen(a, {});
      const place = { project: a.project, haven: havenOf(a), projectHash: idOf(a) };
      const die = (at: string): void => {
        if (at === point) throw new Error("killed");
      };
      await expect(moveToDatabase(place, openForTest(url), die)).rejects.toThrow("killed");
      // Until then neither side can be written.
      expect(await a.run(["--json", "task", "log", "T001", "x"])).toMatchObject({
        json: { error: { code: "no_haven" } },
      });
      await a.json(["haven", "move", "--to", "postgres"], shared);
      expect(await seen(a, shared)).toEqual(before);
      await expect(moveToFiles(place, openForTest(url), die)).rejects.toThrow("killed");
      expect(await a.run(["--json", "task", "log", "T001", "x"], shared)).toMatchObject({ exitCode: 1 });
      await a.json(["haven", "move", "--to", "files"], shared);
      expect(await seen(a, {})).toEqual(before);
      expect(await a.json(["haven", "move", "--to", "files"], shared)).toMatchObject({ wasThere: true });
    },
  );

  it("X-65 into a database that has the haven already, with work of its own, is refused and changes nothing", async () => {
    const { url, a, shared } = await inFiles();
    const b = machineForTest(url, { remote: REMOTE });
    writeFileSync(join(b.project, ".sailing/haven"), `${idOf(a)}\n`);
    await b.json(["init"]);
    await fill(b, 1);
    const refused = await a.run(["--json", "haven", "move", "--to", "postgres"], shared);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "not_empty" } } });
    expect((await a.json(["task", "list"])).length).toBe(2);
  });

  it("X-65 init beside a haven in files is refused with the way there", async () => {
    const { a, shared } = await inFiles();
    const refused = await a.run(["--json", "init"], shared);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "not_empty" } } });
    expect(refused.text).toContain("rudder haven move --to postgres");
  });

  it("X-65 a place that is none, and a database that is not named, are refused by name", async () => {
    const { a } = await inFiles();
    expect(await a.run(["--json", "haven", "move", "--to", "nowhere"])).toMatchObject({
      json: { error: { code: "invalid_argument" } },
    });
    expect((await a.run(["haven", "move", "--to", "postgres"])).text).toContain("JEEVES_DATABASE_URL is not set");
  });
});
