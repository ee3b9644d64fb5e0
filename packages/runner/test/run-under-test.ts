// A run of the scripted agent in a real directory with real servers; what it left behind is read from the disk.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScriptedProvider, type Script } from "../src/providers/scripted.ts";
import { type RunOutcome, type RunRequest, runAgent } from "../src/runner.ts";
import { type LoggedRecord, makeTempDir, readEvents, readRun } from "./scratch.ts";

export interface FinishedRun {
  readonly outcome: RunOutcome;
  readonly events: readonly LoggedRecord[];
  readonly run: Readonly<Record<string, unknown>>;
  readonly dir: string;
}

export interface RunUnderTest extends Partial<Omit<RunRequest, "env">> {
  readonly env?: Readonly<Record<string, string>>;
  readonly serverStartMs?: number;
  readonly dir?: string;
}

export const LONG_FILE = Array.from(
  { length: 400 },
  (_, index) => `def function_${index}(a):\n    """Does thing ${index}."""\n    return a * ${index}\n`,
).join("\n");

export async function runScript(steps: Script["steps"], more: RunUnderTest = {}): Promise<FinishedRun> {
  const { env, serverStartMs, dir: given, ...request } = more;
  const dir = given ?? (await makeTempDir());
  const cwd = request.cwd ?? join(dir, "project");
  await mkdir(join(dir, "project"), { recursive: true });
  await writeFile(join(dir, "project", "long.py"), LONG_FILE);
  const outcome = await runAgent({
    provider: createScriptedProvider({ steps, ...(serverStartMs === undefined ? {} : { serverStartMs }) }),
    prompt: "a task",
    ...request,
    cwd,
    // Nothing of the developer's own environment decides a test.
    env: { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), PRUNER_ENGINE: "embedded", ...env },
  });
  const events = outcome.dir === undefined ? [] : await readEvents(outcome.dir).catch(() => []);
  const run = outcome.dir === undefined ? {} : await readRun(outcome.dir).catch(() => ({}));
  return { outcome, events, run, dir };
}

export const namesOf = (events: readonly LoggedRecord[], prefix = "") =>
  events.map(({ event }) => event).filter((event) => event.startsWith(prefix));

export const dataOf = (events: readonly LoggedRecord[], name: string) => {
  const data = events.find(({ event }) => event === name)?.data;
  if (data === undefined) return undefined;
  const { run_id: _id, ...rest } = data;
  return rest;
};
