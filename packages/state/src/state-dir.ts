// Where what outlives a process is kept. Words only: nothing here touches the disk; the check of a
// directory that strangers could have prepared is in `private-dir.ts`.

import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { homeOf } from "@jeeves/base";

/** The user's state directory: `JEEVES_STATE_DIR`, else by XDG. */
export function resolveStateDir(env: NodeJS.ProcessEnv): string {
  const named = env.JEEVES_STATE_DIR;
  if (named !== undefined && named !== "") return resolve(named);
  // The XDG specification tells readers to ignore a relative value.
  const xdg = env.XDG_STATE_HOME;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "jeeves");
  return join(homeOf(env), ".local", "state", "jeeves");
}

/** what client settings name lies here, and the record of those settings. */
export function resolveDataDir(env: NodeJS.ProcessEnv): string {
  const xdg = env.XDG_DATA_HOME;
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeOf(env), ".local", "share"), "jeeves");
}

/** the place to write where the state directory is read-only (a sandbox). */
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
