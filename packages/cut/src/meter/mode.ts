// whether cuts are shown (on), only counted (shadow), or not made (off). The environment decides; without it a
// word in the state directory, which `jeeves on|shadow|off` writes. Between on and shadow a trial of the project decides.
import { dirname, join } from "node:path";
import {
  BOOKKEEPING_WAIT_MS,
  guarded,
  makeDirs,
  readPlainFile,
  reportFault,
  resolveStateDir,
  waitMsOf,
  writeFileAtomic,
} from "@jeeves/state";
import { armIn, readTrial } from "./trial.ts";

/** The modes: cuts are shown, only counted, or not made. */
export const MODES = ["on", "shadow", "off"] as const;
/** The name of a mode. */
export type Mode = (typeof MODES)[number];

/** A larger file is not a mode. */
const MAX_MODE_BYTES = 1_024;

/** Whose mode it is: a session, and the project that it works on (`findProject`). */
interface ModeOf {
  readonly session: string;
  readonly project: string;
}

/**
 * The mode; for a session, the one that a trial of its project puts it in. Never rejects and never hangs: where the file
 * cannot be read, the mode is `on`, and the fault is reported.
 */
export async function readMode(env: NodeJS.ProcessEnv, of?: ModeOf): Promise<Mode> {
  const named = toMode(env.JEEVES_MODE);
  if (named !== undefined) return named;
  const mode = await readOwnMode(env);
  if (mode === "off" || of === undefined || of.session === "" || of.project === "") return mode;
  return armIn(await readTrial(env, of.project), of.session) ?? mode;
}

async function readOwnMode(env: NodeJS.ProcessEnv): Promise<Mode> {
  const file = modeFile(env);
  try {
    const read = () => readPlainFile(file, { maxBytes: MAX_MODE_BYTES });
    const bytes = await guarded(resolveStateDir(env), waitMsOf(env, BOOKKEEPING_WAIT_MS), read);
    return toMode(bytes?.toString("utf8")) ?? "on";
  } catch (error) {
    reportFault("mode", file, error);
    return "on";
  }
}

/** Sets the mode of this state directory; returns the path of its file. Rejects with the system's error. */
export async function writeMode(env: NodeJS.ProcessEnv, mode: Mode): Promise<string> {
  const file = modeFile(env);
  await makeDirs(dirname(file), { mode: 0o700 });
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

/**
 * What answers a client's hooks: the server in the client's settings, the runner that started the client and answers in its
 * own process, or nothing. The settings may hold our hooks in any case, and two answers would be two cuts.
 */
export type HookOwner = "server" | "runner" | "nobody";

/** What answers hooks by JEEVES_HOOKS: "off" for nothing, "runner", else the server. */
export function hookOwnerOf(env: NodeJS.ProcessEnv): HookOwner {
  const word = env.JEEVES_HOOKS?.trim().toLowerCase();
  return word === "off" ? "nobody" : word === "runner" ? "runner" : "server";
}
