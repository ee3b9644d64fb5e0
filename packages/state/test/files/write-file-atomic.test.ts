import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../src/index.ts";
import { scratchDir } from "../scratch.ts";

describe("writeFileAtomic", () => {
  it("X-54 replaces a file whole, 0600 unless asked otherwise, and leaves nothing beside it", async () => {
    const dir = scratchDir();
    const path = join(dir, "a.json");
    writeFileSync(path, "old");
    chmodSync(path, 0o644);
    await writeFileAtomic(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await writeFileAtomic(path, new Uint8Array([0, 255]), { mode: 0o666 });
    expect([...readFileSync(path)]).toEqual([0, 255]);
    expect(statSync(path).mode & 0o777).toBe(0o666);
    expect(readdirSync(dir)).toEqual(["a.json"]);
  });

  it("X-54 a failure leaves the old file and nothing beside it", async () => {
    const dir = scratchDir();
    mkdirSync(join(dir, "a", "b"), { recursive: true });
    await expect(writeFileAtomic(join(dir, "a"), "x")).rejects.toThrow();
    expect(readdirSync(dir)).toEqual(["a"]);
  });

  it("X-54 a reader sees one version or the other, never a mixture", async () => {
    const path = join(scratchDir(), "a");
    const versions = ["a", "b"].map((letter) => letter.repeat(300_000));
    await writeFileAtomic(path, versions[0] ?? "");
    const writers = Array.from({ length: 20 }, (_, i) => writeFileAtomic(path, versions[i % 2] ?? ""));
    let done = false;
    const finished = Promise.all(writers).then(() => {
      done = true;
    });
    while (!done) {
      expect(versions).toContain(readFileSync(path, "utf8"));
      await new Promise((turn) => setImmediate(turn));
    }
    await finished;
  });
});
