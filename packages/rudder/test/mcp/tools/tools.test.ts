// The eleven tools through a real server's socket, and every example of the documentation as it is written there.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, makeProject, type TestHaven, taskPath, taskText } from "../../haven-under-test.ts";
import { openClient, startServer, type TestClient, type TestServer } from "../server-under-test.ts";

let test: TestHaven;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  test = await makeProject(60);
  writeFileSync(join(test.project, "package.json"), '{"name":"shop","version":"1.2.3"}');
  test.write(taskPath(42), taskText(42, { blocked_by: "[T041]", target_versions: "{shop: 1.3.0}" }));
  test.write(taskPath(43), taskText(43, { blocked_by: "[T042]" }));
  server = startServer(test, ["--socket", join(test.haven, "mcp.sock")]);
  await server.said("Rudder MCP Server started");
  client = await openClient({ path: join(test.haven, "mcp.sock") });
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  test?.remove();
});

const ok = async (name: string, args: object = {}): Promise<string> => {
  const answer = await client.call(name, args);
  expect(answer, `${name} ${JSON.stringify(args)}`).toMatchObject({ isError: false });
  // one item of text, and nothing beside it.
  expect(answer.raw.result).toEqual({ content: [{ type: "text", text: answer.text }] });
  return answer.text;
};
const refused = async (name: string, args: object = {}): Promise<string> => {
  const answer = await client.call(name, args);
  expect(answer.raw.result).toEqual({ content: [{ type: "text", text: answer.text }], isError: true });
  return answer.text;
};

describe("the documented examples, as written", () => {
  it("R-12 task_log: progress, tips, warnings, errors, with a file and a command", async () => {
    const example = JSON.parse(
      '{"name":"task_log","arguments":{"task_id":"T042","message":"Found workaround for API issue","level":"tip","file":"src/api.js"}}',
    );
    expect(await ok(example.name, example.arguments)).toBe("T042  logged as tip");
    await ok("task_log", { task_id: "T042", message: "Implemented feature X", level: "info" });
    await ok("task_log", { task_id: "T042", message: "no level is info", command: "npm test" });
    const log = test.read("memory/T042.log");
    expect(log).toMatch(/\[TIP\] Found workaround for API issue \{\{\{"files":\["src\/api\.js"\]\}\}\}/);
    expect(log).toMatch(/\[INFO\] Implemented feature X\n/);
    expect(log).toMatch(/\[INFO\] no level is info \{\{\{"command":"npm test"\}\}\}/);
    for (const level of ["warn", "error", "critical"]) await ok("task_log", { task_id: "T042", message: "x", level });
    expect(test.read("memory/T042.log")).toMatch(/\[WARN\] x\n.*\[ERROR\] x\n.*\[CRITICAL\] x\n/);
  });

  it("R-16 X-31 assign_claim brings the whole context and holds the task for this connection", async () => {
    expect(await refused("assign_claim", { task_id: "T042" })).toContain("T042 waits for T041");
    test.write(taskPath(41), taskText(41, { status: "Done" }));
    const text = await ok("assign_claim", { task_id: "T042" });
    expect(text).toContain("T042  claimed: connection ");
    expect(text).toContain("Do number 42."); // description
    expect(text).toContain("- T041 [Done] Task 41"); // dependencies
    expect(text).toContain("Found workaround for API issue"); // memory
    expect(text).toContain("- shop 1.2.3 → 1.3.0"); // targets
    expect(test.read("runs/T042.run")).toContain("holder_kind: connection");
  });

  it("R-22 X-26 cli: artifact:edit appends to a section, and makes one that is missing", async () => {
    const example = JSON.parse(
      String.raw`{"name":"cli","arguments":{"command":"artifact:edit T042 --section Notes --append \"Added new note\""}}`,
    );
    await ok(example.name, example.arguments);
    expect(test.read(taskPath(42))).toContain("## Notes\n\nAdded new note\n");
    await ok("cli", { command: 'artifact:edit T042 --section "Open questions" --append "Which one?"' });
    expect(test.read(taskPath(42))).toContain("## Open questions\n\nWhich one?\n");
  });

  it("R-21 X-25 cli: context:load T042 needs no role; the rudder before it does no harm", async () => {
    expect(await ok("cli", { command: "context:load T042" })).toContain("Do number 42.");
    expect(await ok("cli", { command: "rudder context load T42 --budget 400" })).toContain("# T042: Task 42");
    expect(JSON.parse(await ok("cli", { command: "task show T042 --json" }))).toMatchObject({ id: "T042" });
  });

  it("R-18 deps_show: blockers and dependents", async () => {
    const text = await ok("deps_show", { task_id: "T042" });
    expect(text).toMatch(/waits for\s+T041/);
    expect(text).toMatch(/blocks\s+T043/);
  });

  it("R-13 R-14 task_show has metadata, description and deliverables; task_show_memory the tips", async () => {
    const shown = await ok("task_show", { task_id: "t42" });
    expect(shown).toMatch(/T042\s+Task 42/);
    expect(shown).toMatch(/priority\s+normal/);
    expect(shown).toContain("Do number 42.");
    expect(shown).toContain("- [ ] unit tests");
    expect(await ok("task_show_memory", { task_id: "T042" })).toContain("TIP T042 Found workaround for API issue");
  });

  it("R-15 X-25 task_targets: the task's own targets beside the current versions", async () => {
    expect(await ok("task_targets", { task_id: "T042" })).toMatch(/shop\s+1\.2\.3\s+1\.3\.0/);
    expect(await ok("task_targets", { task_id: "T043" })).toBe("T043 has no target versions");
  });

  it("R-19 context_load takes an operation with a role, and a task id too", async () => {
    expect(await ok("context_load", { operation: "T042" })).toContain("Do number 42.");
    const start = await ok("context_load", { operation: "task-start" });
    expect(start).not.toContain("Do number 42.");
    expect(start.length).toBeGreaterThan(20);
    expect(await refused("context_load", { operation: "no-such-thing", role: "skill" })).toContain(
      "is no task and no operation of skills",
    );
  });

  it("R-20 versions and status", async () => {
    expect(await ok("versions")).toMatch(/shop\s+1\.2\.3\s+main/);
    const status = await ok("status");
    expect(status).toContain("PRDs   1");
    expect(status).toContain("Epics  1");
    expect(status).toMatch(/Tasks {2}60 {2}\(58 Not Started, 1 In Progress, 1 Done\)/);
  });

  it("R-17 R-23 assign_release ends it; a second time is an error in words", async () => {
    expect(await ok("assign_release", { task_id: "T042" })).toContain("T042  released, Done");
    expect(await refused("assign_release", { task_id: "T042" })).toContain("T042 has no lease of yours");
  });
});

describe("what is refused", () => {
  it("R-24 X-27 an unknown tool is an error result that names it", async () => {
    expect(await refused("task_destroy", { task_id: "T042" })).toBe("Unknown tool: task_destroy");
  });

  it.each([
    ["task_show", {}],
    ["task_show", { task_id: 42 }],
    ["task_log", { task_id: "T042" }],
    ["task_log", { task_id: "T042", message: "x", level: "loud" }],
    ["task_log", { task_id: "T042", message: "nul \0 nul" }],
    ["cli", { command: ["task", "list"] }],
    ["context_load", { operation: "T042", role: "king" }],
  ])("X-27 a bad argument of %s is an error result: %j", async (name, args) => {
    expect(await refused(name, args)).toContain(`Invalid arguments for ${name}: arguments.`);
  });

  it("R-23 what a command refuses is an error result with the next thing to try", async () => {
    expect(await refused("task_show", { task_id: "T999" })).toMatch(/there is no T999\n.*rudder task list/);
    expect(await refused("task_show", { task_id: "../../etc/passwd" })).toContain("is no task id like T042");
    expect(await refused("task_log", { task_id: "T041", message: "   " })).toContain("the message is empty");
    expect(await refused("cli", { command: "no such command" })).toContain("unknown command");
    expect(await refused("cli", { command: 'task log T041 "half' })).toContain("never closed");
    expect(await refused("cli", { command: "" })).toContain("Usage: rudder");
  });

  it("R-21 cli --help is help, not a failure", async () => {
    expect(await ok("cli", { command: "task --help" })).toContain("Usage: rudder task");
  });

  it("X-28 no command of a client starts, ends or leads outside: the project is the server's", async () => {
    for (const command of [
      "mcp stop",
      "mcp:start",
      "mcp bridge /tmp/x",
      "--json mcp stop",
      "plan /etc/passwd",
      "import -",
    ]) {
      expect(await refused("cli", { command }), command).toContain("cannot be used here");
    }
    for (const command of [`task list --root ${test.dir}`, `--root=${test.dir} status`, "status --root /"]) {
      expect(await refused("cli", { command }), command).toContain("--root cannot be used here");
    }
    expect(await refused("cli", { command: "status --haven /tmp" })).toContain("unknown option");
    expect(server.child.exitCode).toBeNull();
  });
});

describe("many clients", () => {
  it("R-10 X-30 X-31 each connection is its own caller: what one holds is named to the other, and its own calls renew it", async () => {
    const [one, two] = await Promise.all([0, 1].map(() => openClient({ path: join(test.haven, "mcp.sock") })));
    if (one === undefined || two === undefined) throw new Error("no clients");
    const mine = await one.call("assign_claim", { task_id: "T010" });
    expect(mine.isError).toBe(false);
    const holder = /claimed: (connection \S+),/.exec(mine.text)?.[1] ?? "?";
    const other = await two.call("assign_claim", { task_id: "T010" });
    expect(other.isError).toBe(true);
    expect(other.text).toContain(`T010 is held by ${holder}`);
    expect((await one.call("assign_claim", { task_id: "T010" })).text).toContain("T010  renewed");
    // A dropped connection frees nothing but its own calls; what a bare one held, anyone may release.
    one.close();
    expect((await two.call("assign_claim", { task_id: "T010" })).text).toContain(`T010 is held by ${holder}`);
    expect((await two.call("assign_release", { task_id: "T010" })).text).toContain("T010  released");
    two.close();
  });

  it("X-31 a name cannot be an argument, and cannot be taken after the first call", async () => {
    const bare = await openClient({ path: join(test.haven, "mcp.sock") });
    const claimed = await bare.call("assign_claim", { task_id: "T011", agent: "ada", name: "ada", caller: "ada" });
    expect(claimed.text).toContain("claimed: connection ");
    bare.notify("rudder/caller", { name: "ada" });
    expect((await bare.call("assign_claim", { task_id: "T012" })).text).toContain("claimed: connection ");
    bare.close();
    const named = await openClient({ path: join(test.haven, "mcp.sock") });
    named.notify("rudder/caller", { name: "ada" });
    expect((await named.call("assign_claim", { task_id: "T013" })).text).toContain("claimed: ada,");
    named.notify("rudder/caller", { name: "bob" });
    expect((await named.call("assign_claim", { task_id: "T014" })).text).toContain("claimed: ada,");
    named.close();
    const other = await openClient({ path: join(test.haven, "mcp.sock") });
    expect((await other.call("assign_release", { task_id: "T013" })).text).toContain("T013 is held by ada");
    other.close();
  });

  it("R-01 R-02 a change on the command line shows at once, and the other way round", async () => {
    for (let round = 0; round < 5; round++) {
      await test.json(["task", "update", "T020", "--title", `Round ${round}`]);
      expect(await ok("task_show", { task_id: "T020" })).toContain(`Round ${round}`);
      writeFileSync(join(test.haven, taskPath(21)), taskText(21, { title: `By hand ${round}` }));
      expect(await ok("cli", { command: "task list --limit 60" })).toContain(`By hand ${round}`);
      await ok("task_log", { task_id: "T020", message: `round ${round}` });
      expect((await test.run(["task", "show-memory", "T020"])).text).toContain(`round ${round}`);
    }
  });

  it("X-51 an answer fits into what its client shows, and says what was left out", async () => {
    const codex = await openClient({ path: join(test.haven, "mcp.sock") });
    await codex.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "codex-mcp-client", version: "1" },
    });
    for (let line = 0; line < 30; line++) {
      await codex.call("task_log", { task_id: "T030", message: `line ${line} ${"word ".repeat(120)}` });
    }
    const memory = await codex.call("task_show_memory", { task_id: "T030" });
    expect(memory.text.length).toBeLessThanOrEqual(10_800);
    expect(memory.text).toMatch(/\[lines \d+-\d+ of \d+ left out: /);
    const context = await codex.call("context_load", { operation: "T030" });
    expect(context.text.length).toBeLessThanOrEqual(10_800);
    expect(context.text).toContain("rudder task show-memory T030");
    codex.close();
  });
});

it("R-09 the request and the answer on the wire are the documented ones", async () => {
  mkdirSync(join(test.haven, "agents"), { recursive: true });
  const answer: Json = await client.request("tools/call", { name: "task_show", arguments: { task_id: "T041" } });
  expect(Object.keys(answer)).toEqual(["jsonrpc", "id", "result"]);
  expect(answer.result.content[0].type).toBe("text");
  const tools = (await client.request("tools/list")).result.tools;
  expect(tools).toHaveLength(11);
  expect(readFileSync(join(test.haven, "mcp.pid"), "utf8")).toBe(String(server.pid));
});
