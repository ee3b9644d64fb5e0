// A machine to look at: a project with real files, a state directory, a haven, and the built bins as real processes.
// Everything that was started ends with it, and its directory goes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";

const JEEVES = join(root, "packages", "cli", "dist", "jeeves.js");
const RUDDER = join(root, "packages", "rudder", "dist", "rudder.js");
/** Generous: the machine may be busy with something else. */
const PATIENCE_MS = 60_000;

export interface World {
  readonly dir: string;
  readonly project: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts the built `jeeves`; ends with the world. */
  start(args: readonly string[], more?: Readonly<Record<string, string>>): ChildProcess;
  /** The same, waited for; what it printed. */
  jeeves(args: readonly string[]): Promise<string>;
  /** A run of the scripted agent, under way. */
  startRun(task: string, steps: readonly object[]): ChildProcess;
  /** The same, waited for. */
  run(task: string, steps: readonly object[]): Promise<void>;
  rudder(args: readonly string[], agent?: string): Promise<string>;
  /** `jeeves viewer` on a port of its own; the address that it prints. */
  startViewer(args?: readonly string[]): Promise<{ readonly url: string; readonly child: ChildProcess }>;
  close(): Promise<void>;
}

export function createWorld(): World {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-browser-")));
  const project = join(dir, "harbour");
  const state = join(dir, "state");
  mkdirSync(join(project, ".git"), { recursive: true });
  cpSync(join(root, "packages", "kit", "src", "http"), join(project, "http"), { recursive: true });
  cpSync(join(root, "packages", "rudder", "src", "haven"), join(project, "haven"), { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    LANG: "C.UTF-8",
    TMPDIR: dir,
    JEEVES_STATE_DIR: state,
    RUDDER_HAVEN: join(dir, "the-haven"),
    PRUNER_ENGINE: "embedded",
  };
  const children = new Set<ChildProcess>();

  const launch = (file: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: project,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    child.once("close", () => children.delete(child));
    return child;
  };
  const outcome = async (child: ChildProcess): Promise<string> => {
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`it ended with ${code}: ${said}`);
    return said;
  };
  let scripts = 0;
  const startRun = (task: string, steps: readonly object[]): ChildProcess => {
    const script = join(dir, `script-${++scripts}.json`);
    writeFileSync(script, JSON.stringify({ steps }));
    return launch(JEEVES, ["run", "-p", "scripted", task], { JEEVES_SCRIPT: script });
  };

  return {
    dir,
    project,
    state,
    env,
    start: (args, more) => launch(JEEVES, args, more),
    jeeves: (args) => outcome(launch(JEEVES, args)),
    startRun,
    async run(task, steps) {
      await outcome(startRun(task, steps));
    },
    rudder: (args, agent) => outcome(launch(RUDDER, args, agent === undefined ? {} : { RUDDER_AGENT: agent })),
    async startViewer(args = ["--port", "0"]) {
      const child = launch(JEEVES, ["viewer", ...args]);
      const url = await firstLine(child);
      return { url, child };
    },
    async close() {
      for (const child of children) child.kill("SIGTERM");
      const ends = [...children].map((child) => once(child, "close"));
      const late = setTimeout(() => {
        for (const child of children) child.kill("SIGKILL");
      }, 8_000);
      await Promise.all(ends);
      clearTimeout(late);
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = "";
  let wrong = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    wrong += text;
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address within ${PATIENCE_MS} ms: ${wrong}`)), PATIENCE_MS);
    child.once("close", (code) => reject(new Error(`the viewer ended with ${code}: ${wrong}`)));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (!said.includes("\n")) return;
      clearTimeout(late);
      resolve(said.split("\n")[0] ?? "");
    });
  });
}
