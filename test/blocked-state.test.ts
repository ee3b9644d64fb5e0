// X-60 where system calls really block: a thread of Node's pool is gone for each of them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINS, startFaulty } from "./faults/faulty-process.ts";
import { givenPlaces, LOG, QUESTION, SPOTS } from "./faults/odd-files.ts";

describe("X-60 where every open in the state directory really blocks", () => {
  /** A pipe without a writer stands for the disk: each open keeps a thread of Node's pool, which an exit waits for. */
  function blockedPlaces(isFallbackBlocked = false) {
    const places = givenPlaces({ JEEVES_STATE_WAIT_MS: "200" });
    const pipe = join(places.root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const preload = join(places.root, "block.mjs");
    const blocked = isFallbackBlocked ? places.home : places.state;
    const isState = `String(path).startsWith(${JSON.stringify(blocked)})`;
    writeFileSync(
      preload,
      `import fsp from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module"; const { open } = fsp;
       fsp.open = (path, ...rest) => (${isState} ? open(${JSON.stringify(pipe)}, "r") : open(path, ...rest));
       syncBuiltinESMExports();`,
    );
    return { places, preload };
  }

  it.each([
    ["alone", false],
    ["and in its fallback", true],
  ])("(%s) a server answers many calls at once, the next one too, and ends", async (_name, isFallbackBlocked) => {
    const { places, preload } = blockedPlaces(isFallbackBlocked);
    const server = await startFaulty("stdio", { places, preload });
    try {
      const names = Array.from({ length: 20 }, (_, i) => `${i}.log`);
      for (const name of names) writeFileSync(join(places.root, name), `${name}\n${LOG.join("\n")}\n`);
      const read = (name: string) => server.call("read", { file_path: name, context_focus_question: QUESTION });
      for (const { error, result } of await Promise.all(names.map(read))) {
        expect(error).toBeUndefined();
        expect(result.content[0].text).toContain("lost its job");
      }
      writeFileSync(join(places.root, "next.txt"), "next\n");
      expect((await server.call("read", { file_path: "next.txt" })).result.content[0].text).toBe("next\n");
      expect(server.events.filter(({ event }) => event === "state.fault").length).toBeGreaterThan(0);
      await server.stop();
    } finally {
      server.kill();
    }
  });

  it("a command prints its text, whole or cut, and ends", () => {
    const { places, preload } = blockedPlaces();
    const file = join(places.root, "a.log");
    writeFileSync(file, `${LOG.join("\n")}\n`);
    const args = ["--import", preload, BINS.cli, "prune", file, "--focus", QUESTION];
    const done = spawnSync(process.execPath, args, { env: places.env, encoding: "utf8", timeout: 30_000 });
    expect(done.error).toBeUndefined(); // ETIMEDOUT
    expect(done.stdout).toContain("lost its job");
    expect(done.stderr).toContain("does not answer");
  });

  it.each([["recover", "prn_aaaaaaaaaaaa"], ["stats"], ["doctor"]])("jeeves %s says so, and ends", (...words) => {
    const { places, preload } = blockedPlaces();
    mkdirSync(join(places.state, "meter"), { mode: 0o700 });
    for (const spot of SPOTS["this month's meter"] ?? []) writeFileSync(join(places.state, spot), "{}\n");
    const args = ["--import", preload, BINS.cli, ...words];
    const done = spawnSync(process.execPath, args, { env: places.env, encoding: "utf8", timeout: 30_000 });
    expect(done.error).toBeUndefined(); // ETIMEDOUT
    expect(done.stdout + done.stderr).toContain("does not answer");
  });
});
