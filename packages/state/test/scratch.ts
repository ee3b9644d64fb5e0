// A directory of its own for each test, gone afterwards.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function scratchDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-state-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
