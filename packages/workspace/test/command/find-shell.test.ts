import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findShell } from "../../src/command/find-shell.ts";
import { scratchRoot } from "../scratch.ts";

async function binWith(...names: string[]): Promise<string> {
  const { outside } = await scratchRoot();
  const bin = join(outside, "bin");
  mkdirSync(bin);
  for (const name of names) writeFileSync(join(bin, name), "", { mode: 0o755 });
  return bin;
}

describe("findShell", () => {
  it("J-31 bash on PATH comes first, as a login shell", async () => {
    const bin = await binWith("bash", "sh");
    expect(await findShell({ PATH: bin })).toEqual({ path: join(bin, "bash"), flag: "-lc" });
  });

  it("J-31 a PATH without bash still finds the system's", async () => {
    const lastBash = join(await binWith("bash"), "bash");
    expect(await findShell({ PATH: await binWith("sh") }, { lastBash })).toEqual({ path: lastBash, flag: "-lc" });
  });

  it("J-31 where bash is missing, sh does it", async () => {
    const bin = await binWith("sh");
    expect(await findShell({ PATH: bin }, { lastBash: "/nonexistent" })).toEqual({ path: join(bin, "sh"), flag: "-c" });
    expect(await findShell({}, { lastBash: "/nonexistent" })).toEqual({ path: "/bin/sh", flag: "-c" });
  });
});
