import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeDirs } from "../src/make-dirs.ts";

it("a directory is made with all of its parents, private, and making it again is nothing", async () => {
  const base = await mkdtemp(join(tmpdir(), "jeeves-dirs-"));
  const path = join(base, "a", "b", "c");
  await makeDirs(path, { mode: 0o700 });
  await makeDirs(path, { mode: 0o700 });
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await rm(base, { recursive: true });
});

it.runIf(process.platform === "linux")("a place that refuses every name is an error, not an endless loop", async () => {
  await expect(makeDirs("/proc/nowhere/at/all", { mode: 0o700 })).rejects.toMatchObject({ code: "ENOENT" });
});

it("a file in the way is an error", async () => {
  const base = await mkdtemp(join(tmpdir(), "jeeves-dirs-"));
  await writeFile(join(base, "file"), "");
  await expect(makeDirs(join(base, "file"), { mode: 0o700 })).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeDirs(join(base, "file", "below"), { mode: 0o700 })).rejects.toMatchObject({ code: "ENOTDIR" });
  await rm(base, { recursive: true });
});
