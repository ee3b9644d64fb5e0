// directories that become links while files are read and searched give nothing away: neither what lies outside the
// root nor what the deny list names. `npm run soak` does the same twenty times as often.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { expect, it, onTestFinished } from "vitest";
import { isSoak, rounds } from "../../../test/soak-time.mjs";
import { readTextFile, searchText } from "../src/index.ts";
import { scratchRoot } from "./scratch.ts";

const ROUNDS = isSoak ? 10_000 : 500;
const TIMEOUT_MS = isSoak ? 300_000 : 120_000;
const DENY = ["secret"];

/** The directories that are swapped, each with what it becomes a link to for a moment. */
const SWAPPED = ["d", "e/below", "f"] as const;

/** A root of which three directories are links now and then: two lead out of it, one to what is denied. */
async function swappedRoot() {
  const files = { "d/a.txt": "needle inside\n", "e/below/a.txt": "needle inside\n", "f/a.txt": "needle inside\n" };
  const scratch = await scratchRoot({ ...files, "secret/a.txt": "needle secret\n" });
  const { dir, outside } = scratch;
  mkdirSync(join(outside, "deep"));
  for (const name of ["a.txt", "deep/a.txt"]) writeFileSync(join(outside, name), "needle outside\n");
  symlinkSync(outside, join(dir, "link-0"));
  symlinkSync(join(outside, "deep"), join(dir, "link-1"));
  symlinkSync("secret", join(dir, "link-2"));
  const swapper = await startSwapper(dir);
  onTestFinished(async () => {
    const gone = once(swapper, "exit");
    swapper.kill("SIGKILL");
    await gone;
  });
  return scratch;
}

async function startSwapper(dir: string): Promise<ChildProcess> {
  const program = `const { renameSync: move } = require("node:fs");
    process.stdout.write("ready");
    for (;;) ${JSON.stringify(SWAPPED)}.forEach((name, i) => {
      move(name, "kept-" + i); move("link-" + i, name); move(name, "link-" + i); move("kept-" + i, name);
    });`;
  const swapper = spawn(process.execPath, ["-e", program], { cwd: dir, stdio: ["ignore", "pipe", "inherit"] });
  await once(swapper.stdout, "data");
  return swapper;
}

it(`X-61 grep leaked lines from outside the root and of denied files while a directory was swapped for a link, ${ROUNDS} rounds`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { root } = await swappedRoot();
  const words = { pattern: "needle", fixedString: false, caseSensitive: true, timeoutMs: 60_000 };
  const limits = { maxMatches: 500, maxBytes: 1_000_000, contextLines: 1, deny: DENY };
  const seen = new Set<string>();
  const numbers = rounds(ROUNDS, { share: 0.8, what: "searches" });
  const search = async () => {
    for (const round of numbers) {
      const paths = [["d"], ["e"], ["f"], []][round % 4] ?? [];
      const engines = [round % 16 < 12 ? ("bundled-rg" as const) : ("grep" as const)];
      const found = await searchText(root, { ...words, ...limits, paths, engines }).catch(() => undefined);
      for (const { text } of found?.matches ?? []) seen.add(text);
    }
  };
  await Promise.all([search(), search()]);
  expect([...seen]).toEqual(["needle inside"]);
});

// Elsewhere a name is all there is, and macOS alone can open one without following links (opened-file.ts).
it.runIf(existsSync(PROC))(
  `X-61 read leaked files from outside the root and denied ones while a directory was swapped for a link, ${3 * ROUNDS} rounds`,
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const { root } = await swappedRoot();
    const seen = new Set<string>();
    for (const round of rounds(3 * ROUNDS, { share: 0.2, what: "reads" })) {
      const name = `${SWAPPED[round % 3]}/a.txt`;
      const found = await readTextFile(root, name, { maxBytes: 1000, deny: DENY }).catch(() => undefined);
      if (found !== undefined) seen.add(found.content);
    }
    expect([...seen]).toEqual(["needle inside\n"]);
  },
);
