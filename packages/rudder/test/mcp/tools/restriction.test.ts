// --task-id T042, attacked: through every tool, through cli, with every spelling, option and trick that we could think
// of. Whatever gets through must concern T042 and nothing else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWords } from "../../../src/cli/read-words.ts";
import { requireAllowed } from "../../../src/mcp/tools/restriction.ts";
import { makeProject, type TestHaven, taskPath } from "../../haven-under-test.ts";
import { openClient, startServer, type TestClient, type TestServer } from "../server-under-test.ts";

const DENIED = "Access denied: This agent can only access task T042";
let test: TestHaven;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  test = await makeProject(45);
  const socket = join(test.dir, "only.sock");
  server = startServer(test, ["--socket", socket, "--task-id", "t42"]);
  await server.said("Rudder MCP Server started");
  client = await openClient({ path: socket });
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  test?.remove();
});

/** Every file of the haven but what the server itself keeps. */
function contents(): Record<string, string> {
  const files = readdirSync(test.haven, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(lock|server|cache)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file, "utf8")]));
}

describe("the tools", () => {
  it.each(["task_log", "task_show", "task_show_memory", "task_targets", "assign_claim", "assign_release", "deps_show"])(
    "R-26 %s takes T042 in every spelling, and no other task in any",
    async (name) => {
      const before = contents();
      for (const task_id of [
        "T041",
        "T41",
        "t041",
        " T041 ",
        "T0041",
        "PRD-001/T041",
        "E001",
        "PRD-001/E001",
        "PRD-001",
        "",
        "T042 T041",
        "T042/../T041",
        "T042\nT041",
      ]) {
        const answer = await client.call(name, { task_id, message: "x" });
        expect(answer, JSON.stringify(task_id)).toMatchObject({ isError: true });
        expect(answer.text, JSON.stringify(task_id)).toContain(DENIED);
      }
      expect(contents()).toEqual(before);
      if (name === "assign_release") await client.call("assign_claim", { task_id: "T042" });
      for (const task_id of ["T042", "T42", "t042"]) {
        const answer = await client.call(name, { task_id, message: "x" });
        expect(answer.text).not.toContain("Access denied");
      }
    },
  );

  it("R-26 X-28 context_load: that id only, no operation name; versions are open; status is counts", async () => {
    expect((await client.call("context_load", { operation: "T042" })).text).toContain("Do number 42.");
    for (const operation of ["task-start", "T041", "E001", "project"]) {
      expect((await client.call("context_load", { operation })).text, operation).toContain(DENIED);
    }
    expect((await client.call("versions")).isError).toBe(false);
    const status = await client.call("status");
    expect(status.text).toMatch(/^PRDs {3}1 .*\nEpics {2}1 .*\nTasks {2}45 /);
    expect(status.text).not.toMatch(/T0\d\d|E001|HELD|READY/);
  });
});

/** Each of these must be refused, and change nothing. */
const FORBIDDEN = [
  "task show T041",
  "task show t41",
  "task:show T041",
  "task show T041 --json",
  "--json task show T041",
  'task show "T041"',
  "task show 'T'041",
  "task show T0\\41",
  'task log T042 "see T041"',
  "task log T042 x -f runs/T041.run",
  'task log T042 x --snippet "T41"',
  "task log T041 T042",
  "task log -f T042 T041 x",
  "task log -- T041 T042",
  "task done T041",
  "task start T041 --force",
  "task update T042 --status done",
  "task create E001 another",
  "task list",
  "task next",
  "deps show T041",
  "deps show E001",
  "deps add T042 --blocked-by T041",
  "deps add T041 --blocked-by T042",
  "deps remove T042 --blocked-by=T041",
  "deps tree T042",
  "deps ready",
  "deps critical",
  "deps validate --fix",
  "assign list",
  "assign claim T041",
  "assign release T041 --force",
  "assign renew T041",
  "assign claim T042 --operation T041",
  "context load T041",
  "context load task-start",
  "context:load",
  "context load T042 --role agent T041",
  "memory show",
  "memory show project",
  "memory show E001",
  "memory add T042 text",
  "memory sync",
  "artifact show T041",
  "artifact show E001",
  "artifact edit E001 --section Notes --append x",
  "artifact edit T041 --section Notes --append T042",
  "artifact check T041 code",
  "epic show E001",
  "epic list",
  "prd show PRD-001",
  "prd list",
  "init",
  "completion bash",
  "status --root .",
  "--root / task show T042",
  "task show T042 --root ..",
  "mcp stop",
  "mcp status",
  "agent spawn T042",
  "sandbox init",
  "plan plan.md",
  "plan - --apply",
  "board",
  "search number",
  "archive E001",
  "archive T042 --apply",
  "archive --restore T042",
  "export",
  "import in.jsonl --merge",
  "task remove T042",
  "task remove T042 --force",
  "epic remove E001",
  "prd remove PRD-001",
  "find --exec 'cat T041'",
  "rudder task show T041",
];

describe("cli", () => {
  it.each(FORBIDDEN)("R-27 X-28 %s", async (command) => {
    const before = contents();
    const answer = await client.call("cli", { command });
    expect(answer.isError).toBe(true);
    expect(answer.text).not.toMatch(/Do number 41|status: Not Started/);
    expect(contents()).toEqual(before);
  });

  it("R-27 X-28 nothing but a refusal of access is said where a command could have been carried out", async () => {
    for (const command of FORBIDDEN.filter((one) => /^(task show|assign|deps|memory show|artifact show) /.test(one))) {
      const { text } = await client.call("cli", { command });
      expect(text, command).toMatch(/Access denied: This agent can only access task T042|unknown option|missing/);
    }
  });

  it.each([
    "task show T042",
    "task:show t42",
    "task show-memory T42",
    "task targets T042",
    'task log T042 "uploaded to S3, E2E is green" --tip',
    "task start T042",
    "task block T042",
    "task done T042",
    "deps show T042",
    "context load T042 --budget 300",
    "memory show T042",
    "artifact show T042 --section Notes",
    'artifact edit T042 --section Notes --append "text"',
    "artifact check T042 code",
    "artifact uncheck T042 code",
    "versions",
    "status",
  ])("X-28 %s is allowed", async (command) => {
    const answer = await client.call("cli", { command });
    expect(answer, answer.text).toMatchObject({ isError: false });
  });

  it("X-28 claim, renew and release of its own task", async () => {
    await test.run(["task", "update", "T042", "--status", "todo"]);
    await test.run(["assign", "release", "T042", "--force", "--status", "todo"]);
    for (const command of ["assign claim T42", "assign renew t042", "assign release T042"]) {
      expect((await client.call("cli", { command })).isError, command).toBe(false);
    }
  });

  it("X-28 status is counts through cli too, as words and as JSON", async () => {
    const words = await client.call("cli", { command: "status" });
    expect(words.text).not.toMatch(/T0\d\d|E001|READY/);
    const json = JSON.parse((await client.call("cli", { command: "--json status" })).text);
    expect(Object.keys(json)).toEqual(["prds", "epics", "tasks"]);
  });

  it("R-27 no words whatever reach another task, or a command that is not allowed", async () => {
    const piece = fc.constantFrom(
      ..."task show log done update list deps add assign claim release memory artifact edit epic status versions T042 T041 t41 E001 PRD-001 --json --root --force --blocked-by --section --append --status -f -- = / T042/T041 context load init project".split(
        " ",
      ),
    );
    const allowed =
      /^(task (show|show-memory|targets|log|start|done|block)|deps show|assign (claim|release|renew)|context load|memory show|artifact (show|edit|check|uncheck)|versions|status)$/;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 7 }), async (argv) => {
        const words = await readWords(argv);
        if (words === undefined) return;
        let isAllowed = true;
        try {
          requireAllowed(words, argv, "T042");
        } catch {
          isAllowed = false;
        }
        if (!isAllowed) return;
        expect(words.path.join(" ")).toMatch(allowed);
        expect(argv.join(" ")).not.toMatch(/T0?41/i);
        if (!/^(versions|status)$/.test(words.path.join(" "))) expect(words.args[0]).toBe("T042");
      }),
      { numRuns: 150 },
    );
  });
});

it("R-26 R-36 a restricted server says so, and is no server of the haven's: no pid, no control", async () => {
  expect(server.stderr()).toContain("  Restricted to task: T042\n");
  expect(existsSync(join(test.haven, "mcp.pid"))).toBe(false);
  expect(
    (await client.request("rudder/serve_agent", { task_id: "T041", name: "x", restricted: false })).error.code,
  ).toBe(-32601);
  expect(test.read(taskPath(41))).toContain("status: Not Started");
});
