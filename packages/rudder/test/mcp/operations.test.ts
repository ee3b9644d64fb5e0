// A call that carries an operation id is applied once, however often it is sent, also when the server is killed between
// the change and the answer; and who may speak under which name on the shared socket.
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { currentProcess } from "@jeeves/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Json, projectForTest, type TestHaven, taskId, taskPath } from "../haven-under-test.ts";
import { openClient, startServer, type TestClient, type TestServer } from "./server-under-test.ts";

async function serve(test: TestHaven): Promise<TestServer> {
  const server = startServer(test, ["--socket", join(test.haven, "mcp.sock")], { env: { RUDDER_LEASE_TTL_S: "60" } });
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  await server.said("  Project root: ");
  return server;
}

async function connected(test: TestHaven, name?: string): Promise<TestClient> {
  const client = await openClient({ path: join(test.haven, "mcp.sock") });
  onTestFinished(() => client.close());
  if (name !== undefined) client.notify("rudder/caller", { name });
  return client;
}

async function send(
  client: TestClient,
  id: unknown,
  name: string,
  args: object,
): Promise<{ text: string; isError: boolean }> {
  const answer: Json = await client.request("tools/call", { name, arguments: args, _meta: { "jeeves/operation": id } });
  return { text: answer.result.content[0].text, isError: answer.result.isError === true };
}

const lines = (test: TestHaven, words: string): number => test.read("memory/T001.log").split(words).length - 1;

describe("operation ids", () => {
  it("X-29 a call that is sent again under its id gets the recorded answer, and is applied once", async () => {
    const test = await projectForTest(3);
    await serve(test);
    const client = await connected(test, "ada");
    const message = { task_id: "T001", message: "once only", level: "tip" };
    const first = await send(client, "op-1", "task_log", message);
    expect(await send(client, "op-1", "task_log", message)).toEqual(first);
    expect(lines(test, "once only")).toBe(1);

    const edit = { command: 'artifact edit T001 --section Notes --append "twice?"' };
    const edited = await send(client, "op-2", "cli", edit);
    expect(await send(client, "op-2", "cli", edit)).toEqual(edited);
    expect(test.read(taskPath(1)).split("twice?")).toHaveLength(2);

    const made = await send(client, "op-3", "cli", { command: "task create E001 new" });
    expect(await send(client, "op-3", "cli", { command: "task create E001 new" })).toEqual(made);
    expect((await test.json(["task", "list"])).length).toBe(4);

    const claim = await send(client, "op-4", "assign_claim", { task_id: "T002" });
    const again = await send(client, "op-4", "assign_claim", { task_id: "T002" });
    expect(again.text.split("\n")[0]?.replace(/\d+ \w+ left/, "")).toBe(
      claim.text.split("\n")[0]?.replace(/\d+ \w+ left/, ""),
    );
    expect(again.text).toContain("T002  claimed: ada");
  });

  it("X-29 a release that is sent again after another caller has claimed the task takes nothing from it", async () => {
    const test = await projectForTest(1);
    await serve(test);
    const ada = await connected(test, "ada");
    await send(ada, "c", "assign_claim", { task_id: "T001" });
    const released = await send(ada, "r", "cli", { command: "assign release T001 --status todo" });
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "bob" });
    expect(await send(ada, "r", "cli", { command: "assign release T001 --status todo" })).toEqual(released);
    expect((await test.json(["assign", "list"]))[0]).toMatchObject({ holder: "bob", token: 2 });
  });

  it("X-29 it holds over a SIGKILL of the server between the change and the answer", async () => {
    const test = await projectForTest(1);
    let server = await serve(test);
    for (let round = 0; round < 4; round++) {
      const client = await connected(test, "ada");
      const message = { task_id: "T001", message: `round ${round}.`, level: "tip" };
      const asked = client.request("tools/call", {
        name: "task_log",
        arguments: message,
        _meta: { "jeeves/operation": `kill-${round}` },
      });
      // Killed as soon as the line is on disk, or before.
      if (round % 2 === 0) await asked;
      await server.stop("SIGKILL");
      await asked;
      server = await serve(test);
      const next = await connected(test, "ada");
      expect(await send(next, `kill-${round}`, "task_log", message)).toEqual({
        text: "T001  logged as tip",
        isError: false,
      });
      expect(lines(test, `round ${round}.`)).toBe(1);
    }
  });

  it("X-29 an id that another call has used is refused, and so is one in another form", async () => {
    const test = await projectForTest(1);
    await serve(test);
    const client = await connected(test);
    await send(client, "same", "task_log", { task_id: "T001", message: "one" });
    const other = await send(client, "same", "task_log", { task_id: "T001", message: "two" });
    expect(other).toMatchObject({ isError: true });
    expect(other.text).toContain("same was used for another call");
    for (const id of ["", "a b", "x".repeat(129), "é", 7, {}, null]) {
      const refused = await send(client, id, "task_log", { task_id: "T001", message: "bad" });
      expect(refused, JSON.stringify(id)).toMatchObject({ isError: true });
      expect(refused.text).toContain('Invalid _meta["jeeves/operation"]');
    }
    expect(lines(test, "bad")).toBe(0);
    expect((await send(client, "x".repeat(128), "task_log", { task_id: "T001", message: "long" })).isError).toBe(false);
  });

  it("X-29 a call that was refused changed nothing, and is judged again when it is sent again", async () => {
    const test = await projectForTest(1);
    await serve(test);
    const client = await connected(test, "ada");
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "bob" });
    expect((await send(client, "late", "assign_claim", { task_id: "T001" })).isError).toBe(true);
    await test.json(["assign", "release", "T001", "--status", "todo"], { agent: "bob" });
    expect((await send(client, "late", "assign_claim", { task_id: "T001" })).isError).toBe(false);
  });
});

describe("names", () => {
  const live = (test: TestHaven, name: string, more: Readonly<Record<string, unknown>> = {}): void => {
    const at = new Date().toISOString();
    const record = {
      ...{ version: 1, task_id: "T001", name, attempt: 1, provider: "claude", state: "spawned", mark: "m-1" },
      ...{ history: [{ state: "spawned", at }], spawner: currentProcess(), sandbox: false, project: test.project },
      ...{ cwd: test.project, timeout_s: 60, spawned_at: at },
      ...more,
    };
    test.write("agents/T001/agent.json", JSON.stringify(record));
  };

  it("X-63 no connection of the shared socket takes the name of a live agent", async () => {
    const test = await projectForTest(2);
    live(test, "agent-T001");
    await serve(test);
    const thief = await connected(test, "agent-T001");
    const refused = await thief.call("assign_claim", { task_id: taskId(2) });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("Access denied: agent-T001 is a live agent");
    const other = await connected(test, "agent-T002");
    expect((await other.call("assign_claim", { task_id: taskId(2) })).isError).toBe(false);
  });

  it("X-63 a connection had the name before the agent was started: from then on it is refused, until the agent has ended", async () => {
    const test = await projectForTest(2);
    await serve(test);
    const early = await connected(test, "agent-T001");
    expect((await early.call("assign_claim", { task_id: "T002" })).isError).toBe(false);
    const stdio = startServer(test, ["--project-root", test.project], { env: { RUDDER_AGENT: "agent-T001" } });
    onTestFinished(async () => void (await stdio.stop("SIGKILL")));
    await stdio.said("  Project root: ");
    live(test, "agent-T001");
    const refused = await early.call("assign_release", { task_id: "T002" });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain("Access denied: agent-T001 is a live agent");
    const answer = once(stdio.child.stdout as Readable, "data");
    const params = { name: "assign_release", arguments: { task_id: "T002" } };
    stdio.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    expect(String(await answer)).toContain("Access denied: agent-T001 is a live agent");
    expect(test.read("runs/T002.run")).toContain("agent-T001");
    rmSync(join(test.haven, "agents/T001/agent.json"));
    expect((await early.call("assign_release", { task_id: "T002" })).isError).toBe(false);
  });

  it("X-63 no socket is opened for another task under the name of a live agent", async () => {
    const test = await projectForTest(2);
    live(test, "agent-T001");
    await serve(test);
    const client = await connected(test);
    const asked = (id: string): Promise<Json> =>
      client.request("rudder/serve_agent", { task_id: id, name: "agent-T001", restricted: false });
    const refused = await asked("T002");
    expect(refused.result).toMatchObject({ ok: false });
    expect(refused.result.message).toContain("Access denied: agent-T001 is a live agent");
    expect((await asked("T001")).result).toMatchObject({ ok: true });
  });

  it("X-63 R-26 the socket of a live agent is not served under another name, or without its restriction", async () => {
    const test = await projectForTest(3);
    live(test, "agent-T001", { restricted: true });
    await serve(test);
    const client = await connected(test);
    const asked = async (more: Readonly<Record<string, unknown>>): Promise<Json> =>
      (await client.request("rudder/serve_agent", { task_id: "T001", name: "agent-T001", restricted: true, ...more }))
        .result;
    const { socket } = await asked({});
    const agent = await openClient({ path: socket });
    for (const more of [{ name: "mallory" }, { restricted: false }, { name: "mallory", restricted: false }]) {
      expect(await asked(more)).toMatchObject({
        ok: false,
        message: "Access denied: this is the socket of agent-T001, a live agent",
        hint: "end it first: rudder agent kill T001",
      });
    }
    // Still its own, and connected.
    expect((await agent.call("assign_claim", { task_id: "T001" })).text).toContain("claimed: agent-T001,");
    expect((await agent.call("task_show", { task_id: "T002" })).text).toContain("Access denied");
    agent.close();
    rmSync(join(test.haven, "agents/T001/agent.json"));
    expect(await asked({ name: "ada", restricted: false })).toMatchObject({ ok: true });
  });

  it("X-63 nor does a command without the agent's mark", async () => {
    const test = await projectForTest(2);
    live(test, "agent-T001");
    const words = ["assign", "claim", "T002", "--quiet"];
    expect(await test.run(words, { agent: "agent-T001" })).toMatchObject({ json: { error: { code: "denied" } } });
    const env = test.env({ RUDDER_AGENT: "agent-T001", RUDDER_AGENT_MARK: "m-1" });
    expect((await test.run(words, { env })).exitCode).toBe(0);
  });

  it("X-31 X-63 a bare connection's lease is its own while it lives: a late release is refused", async () => {
    const test = await projectForTest(1);
    await serve(test);
    const [one, two] = [await connected(test), await connected(test)];
    expect((await one.call("assign_claim", { task_id: "T001" })).isError).toBe(false);
    const refused = await two.call("assign_release", { task_id: "T001" });
    expect(refused.text).toContain("T001 is held by connection");
    one.close();
    await expect
      .poll(async () => (await two.call("assign_release", { task_id: "T001" })).isError, { timeout: 20_000 })
      .toBe(false);
  });

  it("R-22 X-63 --force is not for the server's clients", async () => {
    const test = await projectForTest(1);
    await serve(test);
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "bob" });
    const client = await connected(test);
    const refused = await client.call("cli", { command: "assign release T001 --force" });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("--force is for people on a terminal");
  });
});

it("X-29 records are bounded", async () => {
  const test = await projectForTest(1);
  await serve(test);
  const client = await connected(test);
  await send(client, "first", "task_log", { task_id: "T001", message: "m" });
  const path = join(test.haven, "runs/operations.jsonl");
  const [line = ""] = readFileSync(path, "utf8").split("\n");
  const many = Array.from({ length: 10_000 }, (_, n) => line.replace('"first"', `"op-${n}"`)).join("\n");
  writeFileSync(path, `${many}\n`);
  await send(client, "next", "task_log", { task_id: "T001", message: "m" });
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(2);
  expect(readFileSync(join(test.haven, "runs/operations.1.jsonl"), "utf8").split("\n")).toHaveLength(10_001);
  const old = JSON.parse(line);
  old.at.monotonicMs -= 25 * 3_600_000;
  old.at.wallMs -= 25 * 3_600_000;
  writeFileSync(path, `${JSON.stringify({ ...old, id: "aged" })}\n`);
  const before = lines(test, "[INFO] m");
  await send(client, "aged", "task_log", { task_id: "T001", message: "m" });
  expect(lines(test, "[INFO] m")).toBe(before + 1);
});
