// The system calls of a lock, synchronous and asynchronous. The synchronous ones take less time than one trip through the
// thread pool of a busy machine. The others never block the event loop, for callers that must not wait for a hanging disk.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";
import { NONBLOCK } from "../files/plain-file.ts";

/** A longer text is not an owner of ours. */
const MAX_OWNER_BYTES = 4_096;
const READ_FLAGS = constants.O_RDONLY | NONBLOCK;
const MARK_FLAGS = constants.O_WRONLY | constants.O_CREAT | NONBLOCK;

type Awaitable<T> = T | Promise<T>;

/** What a lock does with its directory. */
export interface LockFiles {
  /** undefined: there is no such directory. */
  list(dir: string): Awaitable<string[] | undefined>;
  /** Throws EEXIST where the name is taken; leaves no file where it could not be written. */
  create(path: string, text: string): Awaitable<void>;
  /** The text is empty where the file is not a regular one. */
  read(path: string): Awaitable<{ readonly text: string; readonly mtimeMs: number }>;
  /** Makes an empty file where there is none. */
  mark(path: string): Awaitable<void>;
  rename(from: string, to: string): Awaitable<void>;
  remove(path: string): Awaitable<void>;
  /** Writes over the beginning of a file that is there. */
  overwrite(path: string, text: string): Awaitable<void>;
}

/** System calls that block the event loop. */
export const syncLockFiles: LockFiles = {
  list(dir) {
    try {
      return readdirSync(dir);
    } catch (error) {
      return whenMissing(error);
    }
  },
  create(path, text) {
    const descriptor = openSync(path, "wx", 0o600);
    try {
      writeSync(descriptor, text);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
  },
  read(path) {
    const descriptor = openSync(path, READ_FLAGS);
    try {
      const stats = fstatSync(descriptor);
      const buffer = Buffer.alloc(stats.isFile() ? MAX_OWNER_BYTES : 0);
      const length = stats.isFile() ? readSync(descriptor, buffer, 0, buffer.length, 0) : 0;
      return { text: buffer.toString("utf8", 0, length), mtimeMs: stats.mtimeMs };
    } finally {
      closeSync(descriptor);
    }
  },
  mark: (path) => closeSync(openSync(path, MARK_FLAGS, 0o600)),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  overwrite(path, text) {
    const descriptor = openSync(path, "r+");
    try {
      writeSync(descriptor, text, 0);
    } finally {
      closeSync(descriptor);
    }
  },
};

/** System calls in the thread pool. */
export const asyncLockFiles: LockFiles = {
  list: (dir) => readdir(dir).catch(whenMissing),
  async create(path, text) {
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.write(text);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close().catch(() => {}); // the claim is written; failing here would leave it behind unheld
    }
  },
  async read(path) {
    const handle = await open(path, READ_FLAGS);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return { text: "", mtimeMs: stats.mtimeMs };
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_OWNER_BYTES), 0, MAX_OWNER_BYTES, 0);
      return { text: buffer.toString("utf8", 0, bytesRead), mtimeMs: stats.mtimeMs };
    } finally {
      await handle.close();
    }
  },
  mark: async (path) => (await open(path, MARK_FLAGS, 0o600)).close(),
  rename,
  remove: (path) => rm(path, { force: true }),
  async overwrite(path, text) {
    const handle = await open(path, "r+");
    try {
      await handle.write(text, 0);
    } finally {
      await handle.close();
    }
  },
};

function whenMissing(error: unknown): undefined {
  if (systemCodeOf(error) !== "ENOENT") throw error;
}
