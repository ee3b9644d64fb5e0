// What the tests of jeeves-exec are given: a directory of their own, and the same command run under it and bare.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const EXEC = fileURLToPath(new URL("../bin/jeeves-exec", import.meta.url));
export const dir = mkdtempSync(join(tmpdir(), "jeeves-exec-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
export const scratch = join(dir, "tmp");
mkdirSync(scratch);

export function envOf(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    LANG: "C.UTF-8",
    TMPDIR: scratch,
    JEEVES_STATE_DIR: join(dir, "state"),
    JEEVES_NODE: process.execPath,
    ...more,
  };
}

const CLIENT = "--client=claude-code";

/** @param args options of the launcher: by default those of a client, because without one a command runs bare */
export function run(command: string, { env = {}, input = "", args = [CLIENT] as readonly string[] } = {}) {
  const options = { cwd: dir, env: envOf(env), input, maxBuffer: 1 << 28 } as const;
  const { status, signal, stdout, stderr } = spawnSync(EXEC, [...args, command], options);
  return { status, signal, stdout, stderr };
}

/** For those that are looked at while they run; a group of its own can be ended as a client would. */
export function start(command: string, { env = {}, detached = false } = {}): ChildProcess {
  return spawn(EXEC, [CLIENT, command], { cwd: dir, env: envOf(env), detached, stdio: ["pipe", "pipe", "ignore"] });
}

export function bare(command: string, { env = {}, input = "" } = {}) {
  const options = { cwd: dir, env: envOf(env), input, maxBuffer: 1 << 28 } as const;
  const { status, signal, stdout, stderr } = spawnSync("/bin/bash", ["-c", command], options);
  return { status, signal, stdout, stderr };
}

export async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; !what(); tries++) {
    if (tries > 1_000) throw new Error("waited too long");
    await delay(20);
  }
}

export function file(name: string, content: string | Buffer): string {
  writeFileSync(join(dir, name), content);
  return name;
}

export function collect(child: ChildProcess): { text(): string } {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  return { text: () => text };
}
