// a file is judged by what was opened, whatever became of its name since.
import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { expect, it, onTestFinished } from "vitest";
import { createPathGuard } from "../src/opened-file.ts";
import { scratchRoot } from "./scratch.ts";

async function opened(name: string, deny: readonly string[]) {
  const { dir, root } = await scratchRoot({ "p.key": "secret\n", "secret/a.txt": "secret\n", "open.txt": "open\n" });
  const path = join(dir, name);
  const fd = openSync(path, "r");
  onTestFinished(() => closeSync(fd));
  const file = { fd, stats: fstatSync(fd), path, shownPath: "shown" };
  return { path, refusal: () => createPathGuard(root, { deny }).refusalOf(file)?.message };
}

it.each([
  ["p.key", "*.key"],
  ["secret/a.txt", "secret/a.txt"],
])("X-61 a denied file that was replaced right after it was opened passed the deny list: %s", async (name, glob) => {
  const { path, refusal } = await opened(name, [glob]);
  expect(refusal()).toContain(glob);
  writeFileSync(`${path}.new`, "secret\n");
  renameSync(`${path}.new`, path);
  expect(refusal()).toBeDefined();
  rmSync(path);
  expect(refusal()).toBeDefined();
});

// Elsewhere a file that has lost its name has no place that could be judged.
it.runIf(existsSync(PROC))("X-61 an allowed file that was replaced while it is open can still be read", async () => {
  const { path, refusal } = await opened("open.txt", ["*.key"]);
  writeFileSync(`${path}.new`, "new\n");
  renameSync(`${path}.new`, path);
  expect(refusal()).toBeUndefined();
});
