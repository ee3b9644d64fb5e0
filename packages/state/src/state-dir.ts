// Where state is kept. Nothing here touches the disk; whether a directory in a shared place is really
// ours is checked in `private-dir.ts`.
import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { homeOf } from "@jeeves/base";

/**
 * The state directory: JEEVES_STATE_DIR, else `jeeves` below XDG_STATE_HOME, by default ~/.local/state. Absolute; it
 * need not exist.
 */
export function resolveStateDir(env: NodeJS.ProcessEnv): string {
  const named = env.JEEVES_STATE_DIR;
  if (named !== undefined && named !== "") return resolve(named);
  // The XDG specification tells readers to ignore a relative value.
  const xdg = env.XDG_STATE_HOME;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "jeeves");
  return join(homeOf(env), ".local", "state", "jeeves");
}

/**
 * the directory of what client settings refer to, and of the record of those settings: `jeeves` below
 * XDG_DATA_HOME.
 */
export function resolveDataDir(env: NodeJS.ProcessEnv): string {
  const xdg = env.XDG_DATA_HOME;
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeOf(env), ".local", "share"), "jeeves");
}

/** where to write if the state directory is read-only, as in a sandbox: `jeeves-<uid>` below TMPDIR. */
export function fallbackStateDir(env: NodeJS.ProcessEnv): string {
  return join(temporaryDir(env), `jeeves-${userLabel()}`);
}

/** Where jeeves-exec keeps what a command has printed while it holds it back. */
export function heldOutputDir(env: NodeJS.ProcessEnv): string {
  return join(temporaryDir(env), `jeeves-held-${userLabel()}`);
}

function temporaryDir({ TMPDIR: named }: NodeJS.ProcessEnv): string {
  if (named !== undefined && isAbsolute(named)) return named;
  return process.platform === "win32" ? tmpdir() : "/tmp";
}

function userLabel(): string {
  const uid = process.getuid?.();
  return uid === undefined ? userInfo().username.replace(/[^A-Za-z0-9._-]/g, "_") : String(uid);
}
