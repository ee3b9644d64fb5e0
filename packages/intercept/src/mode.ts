// whether cuts are shown (on), only counted (shadow), or not made (off). The environment decides; without it a
// word in the state directory, which `jeeves on|shadow|off` writes.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { resolveStateDir, writeFileAtomic } from "@jeeves/state";

export const MODES = ["on", "shadow", "off"] as const;
export type Mode = (typeof MODES)[number];

export async function readMode(env: NodeJS.ProcessEnv): Promise<Mode> {
  const named = toMode(env.JEEVES_MODE);
  if (named !== undefined) return named;
  return toMode(await readFile(modeFile(env), "utf8").catch(() => undefined)) ?? "on";
}

export async function writeMode(env: NodeJS.ProcessEnv, mode: Mode): Promise<string> {
  const file = modeFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${mode}\n`);
  return file;
}

function modeFile(env: NodeJS.ProcessEnv): string {
  return join(resolveStateDir(env), "mode");
}

function toMode(text: string | undefined): Mode | undefined {
  const word = text?.trim().toLowerCase();
  return MODES.find((mode) => mode === word);
}
