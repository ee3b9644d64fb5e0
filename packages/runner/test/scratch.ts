// Real directories, real agents to find in them, and the records that a run left.
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** Gone when the test is over. */
export async function makeTempDir(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "jeeves-runner-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A directory for the PATH in which `codex` is the stand-in. */
export async function installFakeCodex(dir: string): Promise<string> {
  const bin = join(dir, "bin");
  await mkdir(bin, { recursive: true });
  await symlink(fixture("codex.mjs"), join(bin, "codex"));
  return bin;
}

/** Puts `claude`, the stand-in for Claude Code's own program, into a directory for the PATH. */
export async function installFakeClaude(bin: string): Promise<void> {
  await mkdir(bin, { recursive: true });
  await symlink(fixture("claude-cli.mjs"), join(bin, "claude"));
}

/** A package in `dir`'s node_modules, found there as the real SDK would be. */
export async function installFakeClaudeSdk(dir: string): Promise<void> {
  const target = join(dir, "node_modules", "@anthropic-ai", "claude-agent-sdk");
  await mkdir(target, { recursive: true });
  const manifest = { name: "@anthropic-ai/claude-agent-sdk", version: "0.0.0", type: "module", exports: "./sdk.mjs" };
  await writeFile(join(target, "package.json"), JSON.stringify(manifest));
  await cp(fixture("claude-sdk.mjs"), join(target, "sdk.mjs"));
  await cp(fixture("claude-program.mjs"), join(target, "claude-program.mjs"));
}

export interface LoggedRecord {
  readonly ts: string;
  readonly level: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function readEvents(runDir: string): Promise<LoggedRecord[]> {
  const file = join(runDir, "events.jsonl");
  // A device never ends, and newer versions of Node would read on for ever.
  if (!(await stat(file)).isFile()) throw new Error(`${file} is no file`);
  const text = await readFile(file, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export async function readRun(runDir: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(join(runDir, "run.json"), "utf8"));
}

/** Bounded: fails with `what` where it does not come true. */
export async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
