// Machines of a team on one database: each has a home and a clone of its own.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Outcome, runRudder } from "../../packages/rudder/src/index.ts";
import { closeDatabases } from "../../packages/state/src/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
export type Json = any;

export interface Machine {
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  run(argv: readonly string[], more?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Refuses anything but success. */
  json(argv: readonly string[], more?: Readonly<Record<string, string>>): Promise<Json>;
  /** The built program, as people start it; what it printed. */
  bin(argv: readonly string[], more?: Readonly<Record<string, string>>): Promise<string>;
  git(...args: readonly string[]): string;
}

const PROGRAM = join(import.meta.dirname, "../../packages/rudder/dist/rudder.js");

/** A machine; `remote` is what its clone names as origin. */
export function machineForTest(url: string | undefined, options: { readonly remote?: string } = {}): Machine {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-machine-")));
  onTestFinished(async () => {
    await closeDatabases();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const project = join(home, "shop");
  mkdirSync(join(project, ".sailing"), { recursive: true });
  writeFileSync(join(project, "index.js"), "export const one = 1;\n");
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    JEEVES_STATE_DIR: join(home, "state"),
    ...(url === undefined ? {} : { JEEVES_DATABASE_URL: url }),
  };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", project, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      encoding: "utf8",
      env: { PATH: env.PATH ?? "", HOME: home },
    });
  git("init", "-q");
  if (options.remote !== undefined) git("remote", "add", "origin", options.remote);
  const machine: Machine = {
    home,
    project,
    env,
    git,
    run: (argv, more = {}) => runRudder(argv, { cwd: project, env: { ...env, ...more } }),
    async bin(argv, more = {}) {
      const options = { cwd: project, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] as const };
      const child = spawn(process.execPath, [PROGRAM, ...argv], { ...options, stdio: [...options.stdio] });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
      await once(child, "close");
      return said;
    },
    async json(argv, more) {
      const outcome = await machine.run(["--json", ...argv], more);
      if (outcome.exitCode !== 0) throw new Error(`${argv.join(" ")}: ${outcome.text}`);
      return JSON.parse(outcome.text);
    },
  };
  return machine;
}

/** A PRD, an epic and some tasks, through the command line. */
export async function fill(machine: Machine, tasks = 3): Promise<void> {
  await machine.json(["prd", "create", "Shop"]);
  await machine.json(["epic", "create", "PRD-001", "Checkout"]);
  for (let number = 1; number <= tasks; number++) await machine.json(["task", "create", "E001", `Task ${number}`]);
}
