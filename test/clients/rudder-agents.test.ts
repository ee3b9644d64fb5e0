// `rudder agent spawn` with the real clients: three agents take what is ready, one after the other, call mcp__rudder__*,
// tell each other what they learned; one is killed in the middle and its task is taken over. Only the model is scripted.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import { CLIENTS_BIN, offlineClaude, offlineCodex } from "./offline-settings.ts";
import type { Conversation, ScriptedModel, Turn } from "./scripted-model.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "../../packages/rudder/dist");
const TOOLS = ["context_load", "task_log", "assign_release", "deps_show", "cli"];

interface Client {
  readonly provider: "claude" | "codex";
  readonly findTools: readonly Turn[];
  startModel(script: readonly Turn[]): Promise<ScriptedModel>;
  prepare(home: string, origin: string): Promise<Record<string, string>>;
  /** Writes a file where the agent works, by the client's own tool. */
  write(dir: string, name: string): Turn;
  /** A command that does not end, once it has written this file. */
  hang(mark: string): Turn;
}

const claude: Client = {
  provider: "claude",
  findTools: [
    {
      call: { tool: "ToolSearch" },
      with: { query: `select:${TOOLS.map((tool) => `mcp__rudder__${tool}`).join(",")}` },
    },
  ],
  startModel: startFakeAnthropic,
  async prepare(home, origin) {
    const config = join(home, ".claude");
    await mkdir(config, { recursive: true });
    await writeFile(join(config, "settings.json"), '{"permissions":{"allow":["Bash"]}}');
    return offlineClaude(config, origin);
  },
  write: (dir, name) => ({ call: { tool: "Write" }, with: { file_path: join(dir, name), content: `by ${name}\n` } }),
  hang: (mark) => ({ call: { tool: "Bash" }, with: { command: `touch ${mark}; sleep 1000` } }),
};

const codex: Client = {
  provider: "codex",
  findTools: [],
  startModel: startFakeOpenAi,
  prepare: async (home, origin) => ({
    ...(await offlineCodex(join(home, ".codex"), origin)),
    PATH: `${CLIENTS_BIN}:${process.env.PATH}`,
  }),
  write: (_dir, name) => ({ call: { tool: "exec_command" }, with: { cmd: `echo 'by ${name}' > ${name}` } }),
  hang: (mark) => ({ call: { tool: "exec_command" }, with: { cmd: `touch ${mark}; sleep 1000` } }),
};

const rudderCall = (tool: string, args: Readonly<Record<string, unknown>>): Turn => ({
  call: { server: "rudder", tool },
  with: args,
});

describe.each([codex, claude])("rudder agent spawn --provider $provider", (client) => {
  let dir: string;
  let project: string;
  let haven: string;
  let home: string;
  let base: Record<string, string>;

  beforeAll(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-agents-")));
    [project, haven, home] = [join(dir, "project"), join(dir, "haven"), join(dir, "home")];
    await mkdir(project);
    await mkdir(home);
    // A copy: a build that runs meanwhile must not remove the bin that an agent uses.
    await cp(DIST, join(dir, "dist"), { recursive: true });
    await writeFile(join(dir, "package.json"), '{"type":"module"}\n');
    base = {
      ...(await createClientEnv(home)),
      RUDDER_HAVEN: haven,
      RUDDER_LEASE_TTL_S: "4",
      JEEVES_STATE_DIR: join(dir, "state"),
    };
    await writeFile(join(project, "base.txt"), "one\n");
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.invalid");
    git("add", ".");
    git("commit", "-qm", "begin");
    await rudder(["init"]);
    await rudder(["prd", "create", "Shop"]);
    await rudder(["epic", "create", "PRD-001", "Checkout"]);
    await rudder(["task", "create", "E001", "First"]);
    await rudder(["task", "create", "E001", "Second", "--blocked-by", "T001"]);
    await rudder(["task", "create", "E001", "Third", "--blocked-by", "T002"]);
  });
  afterAll(async () => {
    for (const pid of processesOf(dir)) process.kill(pid, "SIGKILL");
    await rm(dir, { recursive: true, force: true, maxRetries: 10 });
  });

  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", project, ...args], { encoding: "utf8" }).trimEnd();
  const worktree = (id: string): string => join(haven, "worktrees", id);
  const text = (seen: Conversation | undefined, tool: string): string =>
    seen?.outputs.find(({ call }) => call.tool === tool)?.parts.join("\n") ?? "";

  // biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
  async function rudder(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<any> {
    // The agents are installed here, and are found from where rudder is called.
    const child = spawn(process.execPath, [join(dir, "dist/rudder.js"), "--root", project, "--json", ...argv], {
      cwd: HERE,
      env: { ...base, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      out += more;
    });
    child.stderr.resume();
    await once(child, "close");
    return JSON.parse(out);
  }

  async function agent(id: string, script: readonly Turn[], args: readonly string[]) {
    const model = await client.startModel([...client.findTools, ...script]);
    const env = await client.prepare(home, model.origin);
    const words = ["agent", "spawn", id, "--provider", client.provider, "--no-sandbox", "--timeout", "90"];
    return { model, answer: await rudder([...words, ...args], env) };
  }

  async function runToEnd(
    id: string,
    script: readonly Turn[],
    args: readonly string[] = [],
  ): Promise<Conversation | undefined> {
    const { model, answer } = await agent(id, script, ["--wait", ...args]);
    await model.close();
    expect(model.problems).toEqual([]);
    expect(answer).toMatchObject({ state: "completed" });
    return model.conversations.at(-1);
  }

  it("R-32 R-33 R-34 R-35 X-30 X-31 three agents in order, one killed and its task taken over, tips handed on", async () => {
    const ready = async (): Promise<string | undefined> => (await rudder(["deps", "ready"]))[0]?.id;

    // The first one releases its task itself (R-35).
    expect(await ready()).toBe("T001");
    const first = await runToEnd("T001", [
      rudderCall("context_load", { operation: "T001" }),
      client.write(worktree("T001"), "first.txt"),
      rudderCall("task_log", { task_id: "T001", message: "The API wants UTC", level: "tip" }),
      rudderCall("assign_release", { task_id: "T001" }),
      { say: "Done." },
    ]);
    expect(text(first, "context_load")).toContain("held by agent-T001");
    expect(first?.outputs.filter(({ call }) => call.server === "rudder").map(({ isError }) => isError)).toEqual([
      false,
      false,
      false,
    ]);

    // The second one dies in the middle of a command, with the process that looked after it.
    expect(await ready()).toBe("T002");
    const mark = join(worktree("T002"), "hangs");
    const killed = await agent(
      "T002",
      [rudderCall("context_load", { operation: "T002" }), client.hang(mark), { say: "Never." }],
      [],
    );
    expect(killed.answer).toMatchObject({ state: "spawned", running: true });
    await waitUntil("the command", () => existsSync(mark));
    if (client.provider === "claude") {
      const file = join(haven, "agents/T002/mcp-config.json");
      const words = processesOf(file).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"));
      const launched = words.find((argv) => argv.includes("--strict-mcp-config")) ?? [];
      expect(launched.join(" ")).toMatch(/--mcp-config[ =]\S*\/agents\/T002\/mcp-config\.json/);
    }
    process.kill(killed.answer.pid, "SIGKILL");
    await killed.model.close();
    await waitUntil(
      "the end of its lease",
      async () => (await rudder(["agent", "status", "T002"])).lease?.live === false,
    );

    // The agent that takes it over does not release it: rudder does, because there is work (R-34).
    const second = await runToEnd(
      "T002",
      [
        rudderCall("context_load", { operation: "T002" }),
        client.write(worktree("T002"), "second.txt"),
        rudderCall("task_log", { task_id: "T002", message: "Retries are capped", level: "tip" }),
        { say: "Done." },
      ],
      ["--resume"],
    );
    expect(text(second, "context_load")).toContain("The API wants UTC");
    expect(await readFile(join(haven, "memory/T002.log"), "utf8")).toMatch(
      /Takeover by agent-T002-2: the lease of agent-T002 ended/,
    );

    expect(await ready()).toBe("T003");
    const third = await runToEnd("T003", [
      rudderCall("cli", { command: "context:load T003" }),
      client.write(worktree("T003"), "third.txt"),
      { say: "Done." },
    ]);
    for (const tip of ["The API wants UTC", "Retries are capped"]) expect(text(third, "cli")).toContain(tip);
    expect(await ready()).toBeUndefined();

    for (const [id, name] of [
      ["T001", "first"],
      ["T002", "second"],
      ["T003", "third"],
    ] as const) {
      expect(await rudder(["agent", "reap", id, "--commit"])).toMatchObject({ state: "reaped", merged_commits: 1 });
      expect(git("show", `main:${name}.txt`)).toBe(`by ${name}.txt`);
    }
    expect(processesOf(dir)).toEqual([]);
  });
});

async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Every living process whose words or environment name this place. */
function processesOf(place: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))) return false;
        const said = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
        return said.includes(place);
      } catch {
        return false; // another user's, or gone
      }
    });
}
