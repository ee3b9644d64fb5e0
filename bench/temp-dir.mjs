// A directory that is removed with the benchmark, however it ends: a tree of 20,000 files must not be left behind.
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Containers have 64 MB there, which a benchmark fills. */
const MIN_ROOM_BYTES = 1024 ** 3;

/**
 * inMemory, where the machine has such a place with room: on a disk, what was deleted before can count. ext4 without a
 * journal looks past every file that was deleted in the last minutes before it makes a new one, a millisecond each.
 */
export function createTempDir({ inMemory = false } = {}) {
  const base = inMemory && hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const dir = mkdtempSync(join(base, "jeeves-bench-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  // A signal's default ends the process without `exit`.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  return dir;
}

function hasRoom(dir) {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize >= MIN_ROOM_BYTES;
  } catch {
    return false;
  }
}
