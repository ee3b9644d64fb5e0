// The haven's server in real clients: their models call mcp__rudder__* as the documentation's example does, over the
// shared server's socket (socat, or our bridge where there is none) and over a server of their own on stdio.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Agent, AgentOutcome, McpServer } from "./agent.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import type { Turn } from "./scripted-model.ts";

const RUDDER = fileURLToPath(new URL("../../packages/rudder/dist/rudder.js", import.meta.url));
const SERVER = "rudder";
const TOOLS = ["cli", "task_log", "deps_show", "assign_claim", "assign_release", "task_show"];
const LAST_WORDS = "T002 is done.";

interface Haven {
  readonly dir: string;
  readonly project: string;
  readonly haven: string;
  rudder(...argv: string[]): string;
}

function makeHaven(): Haven {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-rudder-")));
  const [project, haven] = [join(dir, "project"), join(dir, "haven")];
  mkdirSync(join(project, ".sailing"), { recursive: true });
  const env = { PATH: process.env.PATH ?? "", HOME: dir, RUDDER_HAVEN: haven };
  const rudder = (...argv: string[]): string =>
    execFileSync(process.execPath, [RUDDER, ...argv], { cwd: project, env, encoding: "utf8" });
  rudder("init");
  rudder("prd", "create", "Shop");
  rudder("epic", "create", "PRD-001", "Checkout");
  rudder("task", "create", "E001", "Choose a parser");
  rudder("task", "create", "E001", "Parse the header", "--blocked-by", "T001");
  rudder("task", "log", "T001", "The API wants UTC", "--tip");
  rudder("task", "done", "T001");
  return { dir, project, haven, rudder };
}

const call = (tool: string, args: Readonly<Record<string, unknown>>): Turn => ({
  call: { server: SERVER, tool },
  with: args,
});

/** As an agent works: look, claim, log, check, give back; and one thing that is not allowed. */
function writeScript(agent: Agent): Turn[] {
  return [
    ...agent.findTools(SERVER, TOOLS),
    call("cli", { command: "context:load T002" }),
    call("assign_claim", { task_id: "T002" }),
    call("task_log", { task_id: "T002", message: "Implemented feature X", level: "info" }),
    call("deps_show", { task_id: "T002" }),
    call("task_show", { task_id: "T999" }),
    call("assign_release", { task_id: "T002" }),
    { say: LAST_WORDS },
  ];
}

describe.each([
  { agent: codex, how: "the shared server", argv: ["mcp", "config"] },
  { agent: codex, how: "a server of its own", argv: ["mcp", "config", "--internal"] },
  { agent: claude, how: "the shared server", argv: ["mcp", "config"] },
  { agent: claude, how: "a server of its own", argv: ["mcp", "config", "--internal"] },
])("rudder in the $agent.name, with $how", ({ agent, argv }) => {
  let made: Haven;
  let outcome: AgentOutcome;

  beforeAll(async () => {
    made = makeHaven();
    made.rudder("mcp", "start");
    const { command, args, env = {} } = JSON.parse(made.rudder(...argv)).mcpServers.rudder;
    const server: McpServer = { command, args, env: { ...env, RUDDER_HAVEN: made.haven } };
    const home = join(made.dir, "home");
    mkdirSync(home);
    const script = writeScript(agent);
    outcome = await agent.run({
      prompt: "Do T002.",
      script,
      cwd: made.project,
      home,
      servers: { [SERVER]: server },
    });
  });
  afterAll(() => {
    made?.rudder("mcp", "stop");
    if (made !== undefined) rmSync(made.dir, { recursive: true, force: true, maxRetries: 10 });
  });

  const shown = (index: number): string =>
    agent
      .ownParts(outcome.seen.outputs.filter(({ call: one }) => one.server === SERVER)[index]?.parts ?? [])
      .join("\n");

  it("R-32 the model is offered the tools as mcp__rudder__…, and told what they are for", () => {
    const listed = outcome.seen.tools.filter(({ server }) => server === SERVER).map(({ tool }) => tool);
    for (const tool of TOOLS) expect(listed).toContain(tool);
    expect(outcome.seen.instructions).toContain("Claim a task before you work on it");
  });

  it("R-33 it gets the task's context with what others learned, claims it, logs, and gives it back", () => {
    expect(shown(0)).toContain("Parse the header");
    expect(shown(0)).toContain("The API wants UTC");
    expect(shown(1)).toMatch(/T002 {2}claimed: connection /);
    expect(shown(2)).toBe("T002  logged as info");
    expect(shown(3)).toMatch(/waits for\s+T001\s+Done/);
    expect(shown(5)).toContain("T002  released, Done");
    const log = readFileSync(join(made.haven, "memory/T002.log"), "utf8");
    expect(log).toContain("[INFO] Implemented feature X");
    expect(JSON.parse(made.rudder("task", "show", "T002", "--json"))).toMatchObject({ status: "Done", lease: null });
  });

  it("R-23 a refusal is shown to it in words, once, and the run goes on", () => {
    expect(shown(4)).toContain("there is no T999");
    expect(shown(4)).not.toMatch(/^\s*[{[]/);
    expect(outcome.finalText).toBe(LAST_WORDS);
  });
});
