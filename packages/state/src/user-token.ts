// The user's token: what a client sends to prove that it acts for the user who started a listener. One file,
// `token` in the state directory, 0600, made once. A file that another user owns, could have read or could have written
// is never trusted.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { makeDirs } from "./files/make-dirs.ts";
import { writeFileAtomic } from "./files/write-file-atomic.ts";
import { withLock } from "./lock/lock.ts";
import { resolveStateDir } from "./state-dir.ts";
import { StateError } from "./state-error.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}\n?$/;
const MAX_FILE_BYTES = 100;
const HINT = "set JEEVES_TOKEN, or name another directory with JEEVES_STATE_DIR";

type Found =
  | { readonly kind: "token"; readonly token: string }
  /** To be made anew: missing, half-written, or readable by others. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly why: string };

/** The path of the token's file in a state directory. */
export function tokenFileOf(stateDir: string): string {
  return join(stateDir, "token");
}

/**
 * The user's token, made on first use; JEEVES_TOKEN where it is set. Throws a StateError where the file cannot be
 * trusted or written.
 */
export async function ensureUserToken(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.JEEVES_TOKEN) return env.JEEVES_TOKEN;
  const dir = resolveStateDir(env);
  const path = tokenFileOf(dir);
  try {
    const found = trusted(await readToken(path), path);
    if (found !== undefined) return found;
    await makeDirs(dir, { mode: 0o700 });
    return await withLock(join(dir, "token.lock"), async () => {
      const made = trusted(await readToken(path), path);
      if (made !== undefined) return made;
      await writeFileAtomic(path, `${randomBytes(TOKEN_BYTES).toString("base64url")}\n`);
      // Read back, because some file systems ignore the mode.
      const written = trusted(await readToken(path), path);
      if (written === undefined) throw unavailable(`${path} cannot be kept private on this file system`);
      return written;
    });
  } catch (error) {
    if (error instanceof StateError && error.code === "token_unavailable") throw error;
    throw unavailable(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** The same without making one: undefined where there is none that can be trusted. */
export async function findUserToken(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env.JEEVES_TOKEN) return env.JEEVES_TOKEN;
  const found = await readToken(tokenFileOf(resolveStateDir(env))).catch(() => undefined);
  return found?.kind === "token" ? found.token : undefined;
}

function trusted(found: Found, path: string): string | undefined {
  if (found.kind === "refused") throw unavailable(`${path} ${found.why}`);
  return found.kind === "token" ? found.token : undefined;
}

/** System errors on opening the file, and what they mean. */
const REFUSALS: Readonly<Record<string, string>> = {
  ELOOP: "is a symbolic link",
  EACCES: "may not be read by this user",
  ENXIO: "is not a regular file",
};

async function readToken(path: string): Promise<Found> {
  let handle: FileHandle;
  try {
    // Opened before it is judged, so that what was judged is what is read. A FIFO must not keep us waiting.
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = systemCodeOf(error) ?? "";
    if (code === "ENOENT") return { kind: "none" };
    const why = REFUSALS[code];
    if (why === undefined) throw error;
    return { kind: "refused", why };
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { kind: "refused", why: "is not a regular file" };
    const uid = process.geteuid?.();
    if (uid !== undefined && stats.uid !== uid) {
      return { kind: "refused", why: `belongs to user ${stats.uid}, not to ${uid}` };
    }
    // Others may have read it by now, or written it.
    if (uid !== undefined && (stats.mode & 0o077) !== 0) return { kind: "none" };
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
    const text = buffer.toString("latin1", 0, bytesRead);
    return TOKEN.test(text) ? { kind: "token", token: text.trimEnd() } : { kind: "none" };
  } finally {
    await handle.close();
  }
}

function unavailable(message: string, cause?: unknown): StateError {
  return new StateError("token_unavailable", message, { hint: HINT, cause });
}
