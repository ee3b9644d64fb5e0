// A directory of a test's own, gone when the test is.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function makeScratch(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "jeeves-viewer-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
