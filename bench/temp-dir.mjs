// A directory that goes when the benchmark does, however it ends: a tree of 20,000 files is nothing to leave behind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function createTempDir() {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-bench-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  // A signal's default ends the process without `exit`.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  return dir;
}
