import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDirs } from "../../src/files/make-dirs.ts";
import { scratchDir } from "../scratch.ts";

const PRIVATE = { mode: 0o700 };

describe("makeDirs", () => {
  it("X-21 a directory is made with all of its parents, private, and making it again is nothing", async () => {
    const base = scratchDir();
    await makeDirs(join(base, "a", "b", "c"), PRIVATE);
    await makeDirs(join(base, "a", "b", "c"), PRIVATE);
    for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(base, path)).mode & 0o777).toBe(0o700);
  });

  it("X-21 many who make the same directories at once all succeed", async () => {
    for (let round = 0; round < 20; round++) {
      const base = scratchDir();
      await Promise.all(Array.from({ length: 20 }, (_, i) => makeDirs(join(base, "a", "b", String(i % 3)), PRIVATE)));
    }
  });

  it.runIf(process.platform === "linux")(
    "X-21 a place that refuses every name is an error, not an endless loop",
    async () => {
      await expect(makeDirs("/proc/nowhere/at/all", PRIVATE)).rejects.toMatchObject({ code: "ENOENT" });
    },
  );

  it("X-21 a file in the way is an error", async () => {
    const base = scratchDir();
    writeFileSync(join(base, "file"), "");
    await expect(makeDirs(join(base, "file"), PRIVATE)).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeDirs(join(base, "file", "below"), PRIVATE)).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});
