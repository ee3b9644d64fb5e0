// A real haven in a temporary directory, and the two ways in: the command as a function, and the built bin as a child.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, onTestFinished } from "vitest";
import { type Outcome, type RudderContext, runRudder } from "../src/index.ts";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
export type Json = any;

export interface BinResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface TestHaven {
  readonly dir: string;
  readonly haven: string;
  readonly project: string;
  env(more?: Readonly<Record<string, string>>): Record<string, string>;
  /** In this process. */
  run(argv: readonly string[], more?: Partial<RudderContext> & { readonly agent?: string }): Promise<Outcome>;
  /** The same, refusing anything but success. */
  json(argv: readonly string[], more?: Partial<RudderContext> & { readonly agent?: string }): Promise<Json>;
  /** As a child process. */
  bin(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<BinResult>;
  write(path: string, text: string): void;
  read(path: string): string;
  remove(): void;
}

/** One copy for a whole test file: whoever builds meanwhile does not pull the bin away from under it. */
const GIVE_UP_ROOT = new URL("../../../test/give-up-root.mjs", import.meta.url).href;
let copied: string | undefined;

export function binPath(): string {
  if (copied === undefined) {
    const dir = mkdtempSync(join(tmpdir(), "rudder-bin-"));
    cpSync(DIST, join(dir, "dist"), { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"type":"module"}\n');
    copied = dir;
  }
  return join(copied, "dist", "rudder.js");
}

afterAll(() => {
  if (copied !== undefined) rmSync(copied, { recursive: true, force: true });
  copied = undefined;
});

export async function spawnBin(
  argv: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly before?: readonly string[];
    /** Not as root, also where root runs the tests. */
    readonly unprivileged?: boolean;
  },
): Promise<BinResult> {
  const node = [process.execPath, ...(options.unprivileged === true ? ["--import", GIVE_UP_ROOT] : [])];
  const [command = process.execPath, ...first] = [...(options.before ?? []), ...node, binPath(), ...argv];
  const child = spawn(command, first, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await once(child, "close");
  return { stdout, stderr, code, signal };
}

export async function makeTestHaven(options: { readonly init?: boolean } = {}): Promise<TestHaven> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "rudder-test-")));
  const haven = join(dir, "haven");
  const project = join(dir, "project");
  // Marked as a project at once: what others left in the directories above decides nothing.
  mkdirSync(join(project, ".sailing"), { recursive: true });
  const env = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: process.env.PATH ?? "",
    HOME: dir,
    RUDDER_HAVEN: haven,
    ...more,
  });
  const test: TestHaven = {
    dir,
    haven,
    project,
    env,
    run: (argv, { agent, ...more } = {}) =>
      runRudder(argv, { cwd: project, env: env(agent === undefined ? {} : { RUDDER_AGENT: agent }), ...more }),
    async json(argv, more) {
      const outcome = await test.run([...argv, "--json"].sort(jsonFirst), more);
      if (outcome.exitCode !== 0) throw new Error(`${argv.join(" ")}: ${outcome.text}`);
      return JSON.parse(outcome.text);
    },
    bin: (argv, more) => spawnBin(argv, { cwd: project, env: env(more) }),
    write(path, text) {
      const full = join(haven, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    },
    read: (path) => readFileSync(join(haven, path), "utf8"),
    // A change is acknowledged a moment before its lock is let go: a lock file may still appear.
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }),
  };
  if (options.init !== false) {
    const done = await test.run(["init"]);
    if (done.exitCode !== 0 || !existsSync(haven)) throw new Error(`no haven: ${done.text}`);
  }
  return test;
}

/** `--json` goes to the front: after `--` it would be text. */
function jsonFirst(a: string, b: string): number {
  return Number(b === "--json") - Number(a === "--json");
}

/** A haven with one PRD, one epic and `count` tasks, T001 on. */
export async function makeProject(count: number): Promise<TestHaven> {
  const test = await makeTestHaven();
  const base = "artefacts/prds/PRD-001-shop";
  test.write(`${base}/prd.md`, "---\nid: PRD-001\ntitle: Shop\nstatus: In Progress\n---\n\n# PRD-001: Shop\n");
  test.write(
    `${base}/epics/E001-checkout.md`,
    "---\nid: E001\ntitle: Checkout\nparent: PRD-001\nstatus: In Progress\nblocked_by: []\n---\n\n# E001\n\n## Description\n\nPay for a basket.\n",
  );
  for (let task = 1; task <= count; task++) test.write(taskPath(task), taskText(task));
  return test;
}

/** Gone with the test that asked for it. */
export async function projectForTest(count: number): Promise<TestHaven> {
  const test = await makeProject(count);
  onTestFinished(() => test.remove());
  return test;
}

export function taskId(number: number): string {
  return `T${String(number).padStart(3, "0")}`;
}

export function taskPath(number: number): string {
  return `artefacts/prds/PRD-001-shop/tasks/${taskId(number)}-task.md`;
}

export function taskText(number: number, fields: Readonly<Record<string, string>> = {}): string {
  const all = {
    id: taskId(number),
    title: `Task ${number}`,
    parent: "PRD-001/E001",
    status: "Not Started",
    assignee: "",
    effort: "M",
    priority: "normal",
    blocked_by: "[]",
    ...fields,
  };
  const front = Object.entries(all).map(([name, value]) => `${name}: ${value}`.trimEnd());
  return `---\n${front.join("\n")}\n---\n\n# ${taskId(number)}: Task ${number}\n\n## Description\n\nDo number ${number}.\n\n## Deliverables\n\n- [ ] code\n- [ ] unit tests\n\n## Notes\n`;
}
