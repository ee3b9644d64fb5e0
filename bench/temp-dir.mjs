// A directory that goes when the benchmark does, however it ends: a tree of 20,000 files is nothing to leave behind.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";

/**
 * inMemory, where the machine has such a place: on a disk, what was deleted before can count. ext4 without a journal
 * looks past every file that was deleted in the last minutes before it makes a new one, a millisecond each.
 */
export function createTempDir({ inMemory = false } = {}) {
  const base = inMemory && existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const dir = mkdtempSync(join(base, "jeeves-bench-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  // A signal's default ends the process without `exit`.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  return dir;
}
