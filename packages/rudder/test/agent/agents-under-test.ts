// A haven with a git repository as its project, agents that follow a script, and an end that leaves nothing running.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, vi } from "vitest";
import { listAgents } from "../../src/agent/agent-store.ts";
import { openFileStore } from "../../src/index.ts";
import { type BinResult, type Json, makeProject, spawnBin, type TestHaven } from "../haven-under-test.ts";

export type Step =
  | { readonly say: string }
  | { readonly call: { readonly server: string; readonly tool: string }; readonly with?: Record<string, unknown> }
  | { readonly run: readonly string[] }
  /** What an agent reports, as it stands. */
  | { readonly event: Readonly<Record<string, unknown>> }
  | { readonly fail: string }
  | { readonly hold: true };

export interface AgentHaven extends TestHaven {
  git(...args: readonly string[]): string;
  /** Through the built bin, as people do. */
  rudder(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<BinResult>;
  /** The same, as JSON, refusing anything but success. */
  ask(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Json>;
  /** Spawns an agent that follows these steps. */
  spawn(
    taskId: string,
    steps: readonly Step[],
    more?: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  ): Promise<BinResult>;
  worktree(taskId: string): string;
  /** A directory with the sandbox's programs, all of them made up: srt notes its words and runs the command. */
  fakeSandbox(more?: { readonly without?: readonly string[] }): { readonly PATH: string; readonly log: string };
}

const made: AgentHaven[] = [];

/** Every test file that makes agents calls this once. */
export function cleanUpAgents(): void {
  // Real processes one after the other, on a machine that may have better things to do.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
  afterEach(async () => {
    for (const test of made.splice(0)) {
      if (existsSync(test.haven)) {
        const home = { store: openFileStore({ haven: test.haven }), place: { haven: test.haven }, env: {} };
        for (const { record } of (await listAgents(home)).agents) killIfOurs(record.supervisor?.pid, test.dir);
        await test.run(["mcp", "stop"]);
      }
      for (const pid of processesOf(test.dir)) killIfOurs(pid, test.dir);
      test.remove();
    }
  });
}

export async function makeAgentHaven(tasks = 1, options: { readonly git?: boolean } = {}): Promise<AgentHaven> {
  const base = await makeProject(tasks);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", base.project, ...args], { env: base.env(), encoding: "utf8", stdio: "pipe" }).trimEnd();
  if (options.git !== false) {
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.invalid");
    writeFileSync(join(base.project, "base.txt"), "one\ntwo\nthree\n");
    writeFileSync(join(base.project, ".gitignore"), ".sailing\n");
    git("add", ".");
    git("commit", "-q", "-m", "begin");
  }
  const state = { JEEVES_STATE_DIR: join(base.dir, "state") };
  let scripts = 0;
  const test: AgentHaven = {
    ...base,
    git,
    rudder: (argv, env = {}) => spawnBin(argv, { cwd: base.project, env: base.env({ ...state, ...env }) }),
    async ask(argv, env) {
      const { code, stdout, stderr } = await test.rudder(["--json", ...argv], env);
      if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    spawn(taskId, steps, more = {}) {
      const script = join(base.dir, `script-${++scripts}.json`);
      writeFileSync(script, JSON.stringify({ steps, serverStartMs: 60_000 }));
      const sandbox = (more.args ?? []).includes("--sandbox") ? [] : ["--no-sandbox"];
      const argv = ["--json", "agent", "spawn", taskId, "--provider", "scripted", ...sandbox, ...(more.args ?? [])];
      return test.rudder(argv, { JEEVES_SCRIPT: script, ...more.env });
    },
    worktree: (taskId) => join(base.haven, "worktrees", taskId),
    fakeSandbox({ without = [] } = {}) {
      const dir = join(base.dir, `bin-${without.join("-")}`);
      const log = join(base.dir, "srt.log");
      mkdirSync(dir, { recursive: true });
      const program = (name: string, text: string): void => {
        if (without.includes(name)) return;
        writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`);
        chmodSync(join(dir, name), 0o755);
      };
      program("srt", `printf '%s\\n' "$@" >> '${log}'\nfor last; do :; done\nexec sh -c "$last"`);
      program("bwrap", "exit 0");
      program("rg", "exit 0");
      // The rest of what is used, by name, so that a program that is to be missing is missing.
      for (const name of ["sh", "cat", "env", "git", "mkfifo", "node", "sleep", "touch", "socat"]) {
        const path = whereIs(name);
        if (path !== undefined && !without.includes(name) && !existsSync(join(dir, name)))
          symlinkSync(path, join(dir, name));
      }
      return { PATH: dir, log };
    },
  };
  made.push(test);
  return test;
}

export function whereIs(program: string): string | undefined {
  if (program === "node") return process.execPath;
  return (process.env.PATH ?? "")
    .split(":")
    .map((dir) => join(dir, program))
    .find((path) => existsSync(path));
}

export async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await delay(25);
  }
}

/** Every living process whose words or environment name this place. */
export function processesOf(place: string): number[] {
  const pids = execFileSync("sh", ["-c", "cd /proc; echo [0-9]*"], { encoding: "utf8" }).trim().split(" ").map(Number);
  return pids.filter((pid) => pid !== process.pid && isOurs(pid, place));
}

function isOurs(pid: number, place: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))) return false;
    const said = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
    return said.includes(place);
  } catch {
    return false;
  }
}

function killIfOurs(pid: number | undefined, place: string): void {
  if (pid === undefined || !isOurs(pid, place)) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

export function recordOf(test: AgentHaven, taskId: string): Json {
  return JSON.parse(readFileSync(join(test.haven, "agents", taskId, "agent.json"), "utf8"));
}

export function writeIn(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

/** A file of this name with this text, written where the agent works. */
export function writes(path: string, text: string): Step {
  return { run: ["sh", "-c", 'printf %s "$1" > "$0"', path, text] };
}

export function rudderTool(tool: string, args: Record<string, unknown>): Step {
  return { call: { server: "rudder", tool }, with: args };
}
