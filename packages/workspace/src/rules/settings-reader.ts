// Settings files of other programs, read again only when they changed. Bounded in size and time: a pipe, an endless file
// or a file system that does not answer must not hold a call.
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemCodeOf } from "@jeeves/base";

const MAX_BYTES = 4 * 1024 * 1024;
const DEADLINE_MS = 5_000;
/** A file that was changed so recently may change again within the same clock tick, so it is not cached. */
const SETTLED_MS = 2_000;

/** A settings file as read: its value, or why there is none. */
export type Settings<T> =
  | { readonly kind: "missing" }
  /** It exists, but neither we nor the client may read it. */
  | { readonly kind: "locked"; readonly reason: string }
  /** We cannot use it, although the client may. */
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "value"; readonly value: T };

interface Cached<T> {
  readonly identity: string;
  readonly settings: Settings<T>;
}

interface SettingsReader<T> {
  read(path: string): Promise<Settings<T>>;
}

/** `parse` may throw: its message is the reason why the file is unusable. */
export function createSettingsReader<T>(
  parse: (text: string, path: string) => T | Promise<T>,
  { deadlineMs = DEADLINE_MS }: { readonly deadlineMs?: number } = {},
): SettingsReader<T> {
  const cache = new Map<string, Cached<T>>();
  const underWay = new Map<string, Promise<Settings<T>>>();

  async function load(path: string): Promise<Settings<T>> {
    const before = cache.get(path);
    try {
      const stats = await stat(path, { bigint: true });
      const { dev, ino, size, mtimeNs, ctimeNs } = stats;
      const identity = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
      if (before?.identity === identity) return before.settings;
      const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > SETTLED_MS;
      const settings = stats.isFile() ? await parsed(path) : notAFile<T>(stats.isDirectory());
      if (isSettled) cache.set(path, { identity, settings });
      else cache.delete(path);
      return settings;
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
      if (code === "EACCES" || code === "EPERM" || code === "ELOOP") return { kind: "locked", reason: code };
      return { kind: "unusable", reason: code ?? String(error) };
    }
  }

  async function parsed(path: string): Promise<Settings<T>> {
    const text = await readBounded(path);
    if (text === undefined) return { kind: "unusable", reason: `is larger than ${MAX_BYTES / 1024 / 1024} MiB` };
    try {
      return { kind: "value", value: await parse(text, path) };
    } catch (error) {
      return { kind: "unusable", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    async read(path) {
      // One read per path at a time: where a file system hangs, each further try would block one more thread.
      const pending = underWay.get(path) ?? load(path).finally(() => underWay.delete(path));
      underWay.set(path, pending);
      const timeout = new AbortController();
      const late = delay(deadlineMs, undefined, { signal: timeout.signal }).then(
        () => ({ kind: "unusable", reason: `could not be read within ${deadlineMs} ms` }) as const,
      );
      late.catch(() => {}); // aborted: the file was faster
      try {
        return await Promise.race([pending, late]);
      } finally {
        timeout.abort();
      }
    },
  };
}

function notAFile<T>(isDirectory: boolean): Settings<T> {
  return isDirectory
    ? { kind: "locked", reason: "is a directory" }
    : { kind: "unusable", reason: "is not a regular file" };
}

/** Undefined where the file is larger than MAX_BYTES. */
async function readBounded(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error("is not a regular file");
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Not limited by stat: some files (in /proc) report no size.
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(65_536), 0, 65_536, bytes);
      if (bytesRead === 0) return Buffer.concat(chunks).toString("utf8");
      bytes += bytesRead;
      if (bytes > MAX_BYTES) return undefined;
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
