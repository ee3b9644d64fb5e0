// Leases through the command: who may do what, how long, and what is written down.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Clock, openFileStore, systemClock } from "../../src/index.ts";
import { noteClaim } from "../../src/tasks/leases/renew-own.ts";
import { type Json, projectForTest, taskPath, taskText } from "../haven-under-test.ts";

function clockAt(afterMs: number, wallMs = 0): Clock {
  return () => {
    const now = systemClock();
    return { ...now, monotonicMs: now.monotonicMs + afterMs, wallMs: now.wallMs + afterMs + wallMs };
  };
}

const MINUTE = 60_000;
const claim = ["assign", "claim", "T001", "--quiet"];

describe("leases", () => {
  it("X-31 a second name is refused and told who holds it; the first one renews", async () => {
    const test = await projectForTest(1);
    expect(await test.json(claim, { agent: "ada" })).toMatchObject({ event: "claimed", holder: "ada" });
    const refused = await test.run([...claim, "--json"], { agent: "bob" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "held", holder: "ada" } } });
    expect(await test.json(claim, { agent: "ada" })).toMatchObject({ event: "renewed", holder: "ada" });
    expect((await test.run(["assign", "release", "T001"], { agent: "bob" })).exitCode).toBe(1);
    expect((await test.run(["task", "done", "T001"], { agent: "bob" })).exitCode).toBe(1);
    expect((await test.run(["task", "log", "T001", "but anyone may log"], { agent: "bob" })).exitCode).toBe(0);
    expect((await test.run(["assign", "release", "T001", "--force"], { agent: "bob" })).exitCode).toBe(0);
  });

  it("X-31 a command without a name is one process for good, and not the next process with its number", async () => {
    const test = await projectForTest(2);
    const holderOf = async (id: string): Promise<string> =>
      JSON.parse((await test.bin(["assign", "claim", id, "--json", "--quiet"])).stdout).holder;
    const [first, second] = [await holderOf("T001"), await holderOf("T002")];
    expect(first).toMatch(/^rudder \d+-[0-9a-f]{8}$/);
    expect(second.replace(/\d+-/, "")).not.toBe(first.replace(/\d+-/, ""));
  });

  it("X-30 after 30 minutes without a call another may take over, and the takeover is logged", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    expect((await test.run(claim, { agent: "bob", clock: clockAt(29 * MINUTE) })).exitCode).toBe(1);
    const taken = await test.json(claim, { agent: "bob", clock: clockAt(30 * MINUTE + 1_000) });
    expect(taken).toMatchObject({ event: "taken-over", holder: "bob", taken_over_from: "ada" });
    expect(test.read("memory/T001.log")).toMatch(/\[WARN\] Takeover by bob: the lease of ada ended \d{4}-/);
    expect(
      (await test.run(["assign", "release", "T001"], { agent: "ada", clock: clockAt(31 * MINUTE) })).exitCode,
    ).toBe(1);
  });

  it("X-30 any call of the holder renews, also one that only looks", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    await test.run(["status"], { agent: "ada", clock: clockAt(20 * MINUTE) });
    expect((await test.run(claim, { agent: "bob", clock: clockAt(45 * MINUTE) })).exitCode).toBe(1);
    expect((await test.run(claim, { agent: "bob", clock: clockAt(51 * MINUTE) })).exitCode).toBe(0);
  });

  it("X-30 a connection that goes on calling renews, however many others have claimed and gone", async () => {
    const test = await projectForTest(1);
    const caller = { kind: "connection" as const, name: "connection 0" };
    await test.json(claim, { caller });
    const others = (from: number) => {
      for (let n = from; n < from + 900; n++) noteClaim({ kind: "connection", name: `connection ${n}` });
    };
    others(1);
    await test.run(["status"], { caller });
    others(1_001);
    await test.run(["status"], { caller, clock: clockAt(20 * MINUTE) });
    expect((await test.run(claim, { agent: "bob", clock: clockAt(45 * MINUTE) })).exitCode).toBe(1);
  });

  it("X-30 RUDDER_LEASE_TTL_S sets the term, and a bad value is named", async () => {
    const test = await projectForTest(1);
    const env = (ttl: string) => test.env({ RUDDER_AGENT: "ada", RUDDER_LEASE_TTL_S: ttl });
    expect((await test.json(claim, { env: env("60") })).remaining_s).toBe(60);
    const refused = await test.run(claim, { env: env("soon") });
    expect(refused.exitCode).toBe(2);
    expect(refused.text).toContain('RUDDER_LEASE_TTL_S="soon"');
    for (const ttl of ["0x10", "", "1e3"]) expect((await test.run(claim, { env: env(ttl) })).exitCode, ttl).toBe(2);
  });

  it('X-30 a short lease was "2 s left" and "1 min left" in one answer', async () => {
    const test = await projectForTest(1);
    const env = test.env({ RUDDER_AGENT: "ada", RUDDER_LEASE_TTL_S: "80" });
    const lefts = (text: string) => [...text.matchAll(/ada, (\d+ \w+) left/g)].map(([, left]) => left?.split(" ")[1]);
    expect(lefts((await test.run(["assign", "claim", "T001"], { env })).text)).toEqual(["s", "s"]);
    const refused = await test.run(claim, { agent: "bob" });
    expect(refused.text).toMatch(/T001 is held by ada for another \d+ s\n/);
    const long = test.env({ RUDDER_AGENT: "ada", RUDDER_LEASE_TTL_S: "36000" });
    expect(lefts((await test.run(["assign", "claim", "T001"], { env: long })).text)).toEqual(["h", "h"]);
  });

  it("X-31 a name that cannot be one was refused as no valid regex", async () => {
    const test = await projectForTest(1);
    for (const name of ["", "a\nb", "x".repeat(201)]) {
      const refused = await test.run(claim, { env: test.env({ RUDDER_AGENT: name }) });
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.text).toContain("expected one line of 1 to 200 characters");
    }
  });

  it("X-54 a wall clock that goes back or ahead by years neither ends nor prolongs a lease", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    for (const years of [-3, 3]) {
      const jump = years * 365 * 24 * 60 * MINUTE;
      expect((await test.run(claim, { agent: "bob", clock: clockAt(29 * MINUTE, jump) })).exitCode).toBe(1);
    }
    const back = clockAt(30 * MINUTE + 1_000, -365 * 24 * 60 * MINUTE);
    expect((await test.run(claim, { agent: "bob", clock: back })).exitCode).toBe(0);
    expect((await test.run(["task", "log", "T001", "logged in the past"], { clock: back })).exitCode).toBe(0);
    expect((await test.json(["memory", "show", "T001"])).log.at(-1).message).toBe("logged in the past");
  });

  it("X-31 a bare connection's lease is its own while it lives; once it is gone another may release it", async () => {
    const test = await projectForTest(1);
    const one = { kind: "connection" as const, name: "connection 1" };
    const two = { kind: "connection" as const, name: "connection 2" };
    await test.json(claim, { caller: one });
    expect((await test.run(claim, { caller: two })).text).toContain("T001 is held by connection 1");
    const release = ["assign", "release", "T001", "--status", "todo"];
    expect(await test.run(release, { caller: two })).toMatchObject({ json: { error: { code: "held" } } });
    await openFileStore({ haven: test.haven }).leave(one);
    const refused = await test.run(claim, { caller: two });
    // The way that the refusal names is the way.
    const way = /\(rudder (assign release T001 --status todo)\)/.exec(refused.text)?.[1] ?? "";
    expect((await test.run(way.split(" "), { caller: two })).exitCode).toBe(0);
    expect(test.read(taskPath(1))).toContain("status: Not Started");
    expect((await test.run(claim, { caller: two })).exitCode).toBe(0);
  });

  it("X-31 a lease of a command that has ended is open to all: its process is gone", async () => {
    const test = await projectForTest(1);
    expect((await test.bin(claim)).code).toBe(0);
    expect((await test.run(["artifact", "edit", "T001", "--section", "Notes", "--append", "x"])).exitCode).toBe(0);
    expect((await test.run(["assign", "release", "T001", "--status", "todo"], { agent: "ada" })).exitCode).toBe(0);
  });

  it("X-30 one task has one lease, however many digits each clone of the project shows", async () => {
    const test = await projectForTest(2);
    const clone = join(test.dir, "clone");
    mkdirSync(join(clone, ".sailing"), { recursive: true });
    writeFileSync(join(clone, ".sailing/config.yaml"), "ids:\n  task_digits: 5\n  epic_digits: 1\n");
    await test.json(claim, { agent: "ada" });
    const refused = await test.run(["assign", "claim", "T00001"], { agent: "bob", cwd: clone });
    expect(refused.json).toMatchObject({ error: { code: "held", holder: "ada" } });
    expect(await test.json(["assign", "list"], { cwd: clone })).toMatchObject([{ task_id: "T00001", holder: "ada" }]);
    expect(await test.json(["status"], { cwd: clone })).toMatchObject({ ready: 1, next: "T00002" });
    // What one logs the other reads, before a sync and after it.
    await test.run(["task", "log", "T00001", "from the clone", "--tip"], { cwd: clone });
    const read = async (more: { readonly cwd?: string }) =>
      (await test.json(["task", "show-memory", "T1"], more)).log.map((line: Json) => line.message);
    const both = ["Starting: Task 1", "from the clone"];
    for (const cwd of [test.project, clone]) expect(await read({ cwd })).toEqual(both);
    await test.run(["memory", "sync"], { cwd: clone });
    for (const cwd of [test.project, clone]) {
      expect(await read({ cwd })).toEqual(both);
      expect((await test.json(["task", "show-memory", "T1"], { cwd })).epic_log).toEqual([]);
    }
    expect((await test.run(["assign", "release", "T1"], { agent: "ada", cwd: clone })).exitCode).toBe(0);
    expect(await test.json(["assign", "list"])).toEqual([]);
  });

  it("X-31 who asks is never an argument", async () => {
    const test = await projectForTest(1);
    for (const flag of ["--agent", "--as", "--holder", "--name"]) {
      expect((await test.run([...claim, flag, "ada"])).exitCode).toBe(2);
    }
  });

  it("RU-11 RU-13 claim and release leave a run file, an assignment, log lines and advice about tips", async () => {
    const test = await projectForTest(1);
    await test.json(claim, { agent: "ada" });
    expect(test.read("runs/T001.run")).toMatch(/^taskId: T001\noperation: task-start\nstarted_at: \S+\npid: \d+\n/);
    // Parsed, because a hash of digits alone is written in quotes.
    expect(parse(test.read("assignments/T001.yaml"))).toMatchObject({
      epicId: "E001",
      status: "claimed",
      projectHash: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    const released = await test.run(["assign", "release", "T001", "--status", "blocked"], { agent: "ada" });
    expect(released.notes.join()).toContain("no tip was logged for T001");
    expect(test.read(taskPath(1))).toMatch(/status: Blocked[\s\S]*blocked_at: /);
    expect(test.read("assignments/T001.yaml")).toContain("success: false");
    expect(test.read("memory/T001.log")).toMatch(/Starting: Task 1[\s\S]*Released: Blocked/);
    expect((await test.run(["assign", "release", "T001"], { agent: "ada" })).json).toMatchObject({
      error: { code: "not_held" },
    });
  });

  it("RU-05 started_at is set although the task's text has a line like that field", async () => {
    const test = await projectForTest(1);
    test.write(taskPath(1), `${taskText(1, { started_at: "" })}\nstarted_at: is a field of the log\n`);
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "ada" });
    expect(test.read(taskPath(1))).toMatch(
      /\nstarted_at: 20\d\d-[^\n]*\n[\s\S]*\nstarted_at: is a field of the log\n$/,
    );
  });
});
