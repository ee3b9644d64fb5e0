// `jeeves run` with real agents: the built bin drives each of them through the same task, with a pruner that works, that
// is missing, that dies and that hangs. One suite; an agent differs in how its model is named to it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import type { FixtureProject } from "./fixture-project.ts";
import { createFixtureProject } from "./fixture-project.ts";
import type { Conversation, ScriptedModel, Turn } from "./scripted-model.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const JEEVES = join(HERE, "../../packages/cli/dist/jeeves.js");
const serverFixture = (name: string) => join(HERE, "../../packages/runner/test/fixtures", name);
const SERVER = "pruner";
const LAST_WORDS = "That is all.";

export interface RunnableAgent {
  readonly provider: "claude" | "codex";
  /** How it is found, where there is more than one way. */
  readonly by?: string;
  /** The turns that a model takes before it may call these tools. */
  findTools(tools: readonly string[]): readonly Turn[];
  startModel(script: readonly Turn[]): Promise<ScriptedModel>;
  /** Tells the agent where its model is: files in the home, variables. */
  prepare(home: string, origin: string): Promise<Record<string, string>>;
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly LoggedRecord[];
  readonly run: { readonly status: string; readonly pruner: { readonly states: readonly string[] } };
  readonly seen: Conversation | undefined;
  readonly problems: readonly string[];
}

interface LoggedRecord {
  readonly event: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function describeRunner(agent: RunnableAgent): void {
  describe(`jeeves run --provider ${agent.provider}${agent.by === undefined ? "" : ` by ${agent.by}`}`, () => {
    let project: FixtureProject;
    let runCount = 0;

    beforeAll(async () => {
      project = await createFixtureProject();
    });
    afterAll(() => project?.remove());

    async function run(
      script: readonly Turn[],
      more: {
        readonly env?: Record<string, string>;
        readonly args?: readonly string[];
        onStart?(child: ChildProcess): Promise<void>;
      } = {},
    ): Promise<Finished> {
      const model = await agent.startModel(script);
      const stateDir = join(project.home, `state-${++runCount}`);
      const env = {
        ...(await createClientEnv(project.home)),
        ...(await agent.prepare(project.home, model.origin)),
        JEEVES_STATE_DIR: stateDir,
        ...more.env,
      };
      const args = ["--provider", agent.provider, "--cwd", project.root, "--timeout", "90", ...(more.args ?? [])];
      // The agents are installed here, and are found from where jeeves is called.
      const child = spawn(process.execPath, [JEEVES, "run", ...args, "Look around."], {
        cwd: HERE,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      try {
        const words = Promise.all([read(child.stdout), read(child.stderr)]);
        const closed = once(child, "close");
        await more.onStart?.(child);
        const [stdout, stderr] = await words;
        const [code] = await closed;
        const runs = join(stateDir, "runs");
        const dir = join(runs, (await readdir(runs))[0] ?? "");
        const lines = (await readFile(join(dir, "events.jsonl"), "utf8")).trimEnd().split("\n");
        return {
          code,
          stdout,
          stderr,
          events: lines.map((line) => JSON.parse(line)),
          run: JSON.parse(await readFile(join(dir, "run.json"), "utf8")),
          seen: model.conversations.at(-1),
          problems: model.problems,
        };
      } finally {
        child.kill("SIGKILL");
        await model.close();
      }
    }

    const call = (tool: string, args: Readonly<Record<string, unknown>>): Turn => ({
      call: { server: SERVER, tool },
      with: args,
    });
    const reads = (count: number) =>
      Array.from({ length: count }, () => call("read", { file_path: project.smallFile.path }));

    it("J-78 J-88 J-92 drives it through a task with the pruner's tools, and writes down what was kept and recovered", async () => {
      const long = project.longOutputs[0];
      if (long === undefined) throw new Error("the project has no long output");
      const done = await run([
        ...agent.findTools(["read", "recover_text"]),
        call("read", { file_path: project.smallFile.path }),
        call(long.tool, long.arguments),
        { call: { server: SERVER, tool: "recover_text" }, with: recoverFirstLines },
        { say: LAST_WORDS },
      ]);
      expect(done.problems).toEqual([]);
      expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 0, stdout: `${LAST_WORDS}\n` });
      expect(done.run).toMatchObject({ status: "completed", provider: agent.provider });
      expect(done.run.pruner.states).toEqual([
        "run:init",
        "run:mcp_pruner_starting",
        "run:mcp_pruner_running",
        "run:shutdown",
      ]);
      const results = dataOf(done.events, "agent.tool_result").filter(({ tool }) => String(tool).startsWith("mcp:"));
      const raw = Buffer.byteLength(`${long.rawLines.join("\n")}\n`);
      const small = Buffer.byteLength(project.smallFile.text);
      expect(results).toMatchObject([
        { tool: "mcp:pruner/read", is_error: false, raw_bytes: small, kept_bytes: small },
        { tool: "mcp:pruner/read", is_error: false, raw_bytes: raw },
        { tool: "mcp:pruner/recover_text", is_error: false, raw_bytes: 0 },
      ]);
      expect(Number(results[1]?.kept_bytes)).toBeLessThan(raw * 0.75);
      expect(results[2]?.recovered_bytes).toBe(Buffer.byteLength(long.rawLines.slice(0, 2).join("\n")));
      expect(dataOf(done.events, "agent.usage").at(-1)).toMatchObject({ input_tokens: expect.any(Number) });
      expect(done.events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(["tool.respond_ok", "pruner.call_ok"]),
      );
      expect(done.stderr).toMatch(/[\d.]+ k?B kept of [\d.]+ kB, [\d.]+ kB dropped/);
      expect(processesOf(project.home)).toEqual([]);
    });

    it.each([
      ["is not there", "/nowhere/index.js", "config_invalid", ["run:init", "run:mcp_pruner_disabled", "run:shutdown"]],
      [
        "ends at once",
        serverFixture("exiting-server.mjs"),
        "start_failed",
        ["run:init", "run:mcp_pruner_starting", "run:mcp_pruner_disabled", "run:shutdown"],
      ],
      [
        "hangs at start",
        serverFixture("hanging-server.mjs"),
        "start_failed",
        ["run:init", "run:mcp_pruner_starting", "run:mcp_pruner_disabled", "run:shutdown"],
      ],
    ])("J-69 J-80 a server that %s does not fail the run", async (_what, path, reason, states) => {
      const done = await run([...agent.findTools(["read"]), ...reads(1), { say: LAST_WORDS }], {
        env: { JEEVES_MCP_PRUNER_PATH: path },
      });
      expect(done.problems).toEqual([]);
      expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 0, stdout: `${LAST_WORDS}\n` });
      expect(done.run.pruner.states).toEqual(states);
      expect(dataOf(done.events, "mcp_pruner.disabled")).toMatchObject([{ reason }]);
      expect(dataOf(done.events, "mcp_pruner.not_running")).toHaveLength(1);
      expect(processesOf(project.home)).toEqual([]);
    });

    it("J-72 J-80 J-81 a server that dies in its third call degrades the run and does not fail it", async () => {
      const done = await run([...agent.findTools(["read"]), ...reads(4), { say: LAST_WORDS }], {
        env: { JEEVES_MCP_PRUNER_PATH: serverFixture("crashing-server.mjs") },
      });
      expect(done.problems).toEqual([]);
      expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 0, stdout: `${LAST_WORDS}\n` });
      expect(done.run.pruner.states.slice(-3)).toEqual([
        "run:mcp_pruner_running",
        "run:mcp_pruner_degraded",
        "run:shutdown",
      ]);
      expect(dataOf(done.events, "mcp_pruner.degraded")).toMatchObject([{ reason: "exited" }]);
      expect(dataOf(done.events, "mcp_pruner.shutdown_after_degraded")).toHaveLength(1);
      expect(processesOf(project.home)).toEqual([]);
    });

    it("J-92 --max-turns ends it after so many answers, and says so", async () => {
      const find = agent.findTools(["read"]);
      const args = ["--max-turns", String(find.length + 2)];
      const done = await run([...find, ...reads(6), { say: LAST_WORDS }], { args });
      expect({ code: done.code, status: done.run.status }).toEqual({ code: 1, status: "max_turns" });
      const calls = dataOf(done.events, "agent.tool_result").filter(({ tool }) => tool === "mcp:pruner/read");
      expect(calls).toHaveLength(2);
      expect(processesOf(project.home)).toEqual([]);
    });

    it("J-81 Ctrl-C in the middle of a command leaves no process of the agent, of the server or of the command", async () => {
      const mark = join(project.root, "command-runs");
      const done = await run(
        [...agent.findTools(["bash"]), call("bash", { command: `touch ${mark}; sleep 1000` }), { say: LAST_WORDS }],
        {
          async onStart(child) {
            await waitUntil("the command", () => existsSync(mark));
            // The agent, the server and the command: or there would be nothing to leave behind.
            expect(processesOf(project.home).length).toBeGreaterThanOrEqual(4);
            child.kill("SIGINT");
          },
        },
      );
      expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 130, stdout: "" });
      expect(done.run.status).toBe("cancelled");
      expect(processesOf(project.home)).toEqual([]);
    });
  });
}

/** Two lines of what was cut, by the id in the last line. */
function recoverFirstLines(seen: Conversation): Readonly<Record<string, unknown>> {
  const text = seen.outputs.at(-1)?.parts.join("\n") ?? "";
  const id = [...text.matchAll(/prn_[a-z2-7]{12}/g)].at(-1)?.[0] ?? "none";
  return { prune_id: id, ranges: [{ start_line: 1, end_line: 2 }] };
}

function dataOf(events: readonly LoggedRecord[], name: string): readonly Readonly<Record<string, unknown>>[] {
  return events.flatMap(({ event, data }) => (event === name ? [data ?? {}] : []));
}

async function read(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

async function waitUntil(what: string, isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Every process whose environment, arguments or directory names `place`: the temporary home is in all of them. */
function processesOf(place: string): readonly string[] {
  const root = dirname(place);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "latin1");
        if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))) return [];
        const argv = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const said = `${argv}\0${readFileSync(`/proc/${name}/environ`, "utf8")}\0${readlinkSync(`/proc/${name}/cwd`)}`;
        return said.includes(root) ? [`${name} ${argv.replaceAll("\0", " ")}`] : [];
      } catch {
        return []; // another user's, or gone
      }
    });
}
