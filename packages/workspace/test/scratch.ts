// A root of its own for each test, gone afterwards; whatever was started in it is ended first.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { killBackground, openRoot, type Root } from "../src/index.ts";

export interface Scratch {
  readonly root: Root;
  readonly dir: string;
  /** Outside the root, beside it. */
  readonly outside: string;
}

export async function scratchRoot(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Scratch> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-workspace-")));
  onTestFinished(async () => {
    await killBackground();
    rmSync(base, { recursive: true, force: true });
  });
  const dir = join(base, "root");
  const outside = join(base, "outside");
  mkdirSync(dir);
  mkdirSync(outside);
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), data);
  }
  return { root: await openRoot(dir), dir, outside };
}
