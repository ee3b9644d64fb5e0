// a match is shown only where its file, as it was opened, lies inside the root, is not denied, and holds the line.
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { searchText } from "../../src/index.ts";
import { createPathGuard } from "../../src/opened-file.ts";
import { openChecked } from "../../src/read-text-file.ts";
import { scratchRoot } from "../scratch.ts";

const words = {
  pattern: "needle",
  paths: [],
  fixedString: false,
  caseSensitive: true,
  timeoutMs: 20_000,
  maxMatches: 500,
  maxBytes: 1_000_000,
};
const ENGINES = ["bundled-rg", "grep"] as const;

/** An engine that prints what it found after something else has happened to the tree. */
async function withLateEngine(files: Readonly<Record<string, string>>, path: string, change: string) {
  const scratch = await scratchRoot(files);
  const event = { path: { text: path }, lines: { text: "needle\n" }, line_number: 1, absolute_offset: 0 };
  const bin = join(scratch.outside, "bin");
  mkdirSync(bin);
  const line = JSON.stringify({ type: "match", data: { ...event, submatches: [{ start: 0 }] } });
  writeFileSync(join(bin, "rg"), `#!/bin/sh\n${change}\nprintf '%s\\n' '${line}'\n`, { mode: 0o755 });
  return { ...scratch, env: { PATH: `${bin}:/usr/bin:/bin` } };
}

describe("matches are verified on their opened files", () => {
  const ENCODED = {
    "bom.txt": Buffer.from("\ufeffneedle é\nand a needle\n", "utf8"),
    "le.txt": Buffer.from("\ufeffé😀\nneedle le\n", "utf16le"),
    "be.txt": Buffer.from("\ufeffé😀\nneedle be\n", "utf16le").swap16(),
    "latin.txt": Buffer.from("\xe9\nneedle \xe9\n", "latin1"),
    "crlf.txt": "a\r\nneedle\r\n",
    "open-end.txt": "a\nneedle",
  };

  it("X-61 nothing of a real tree is lost, whatever its encoding, line ends and names", async () => {
    const { root, dir } = await scratchRoot(ENCODED);
    writeFileSync(Buffer.from(`${dir}/\xe9 name.txt`, "latin1"), "one\nneedle here\n");
    writeFileSync(join(dir, "long.txt"), `${"x".repeat(300_000)}\nneedle\n`);
    const found = await searchText(root, { ...words, engines: ["bundled-rg"], contextLines: 1 });
    expect(found.unverified).toBe(0);
    expect(found.matchCount).toBe(9);
    const paths = found.matches.filter(({ context }) => context === undefined).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set([...Object.keys(ENCODED), "\ufffd name.txt", "long.txt"]));
    const plain = await searchText(root, { ...words, engines: ["grep"], contextLines: 1 });
    // grep takes UTF-16 for what it is not, and finds nothing in it.
    expect(plain).toMatchObject({ unverified: 0, matchCount: 7 });
  });

  it.each(ENGINES)("X-61 %s: many matches in many files, all of them verified", async (engine) => {
    const text = Array.from({ length: 200 }, (_, i) => `line ${i} ${i % 3 === 0 ? "needle" : ""}`).join("\n");
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`d${i % 4}/f${i}.txt`, text]));
    const { root } = await scratchRoot(files);
    const found = await searchText(root, { ...words, engines: [engine], maxMatches: 5_000 });
    expect(found).toMatchObject({ matchCount: 20 * 67, unverified: 0, truncated: false });
  });

  it("X-61 a file that changed since it was searched is left out and counted", async () => {
    const { root, env } = await withLateEngine({ "a.txt": "needle\n" }, "./a.txt", "echo other > a.txt");
    expect(await searchText(root, { ...words, env })).toMatchObject({ matches: [], matchCount: 0, unverified: 1 });
  });

  it("X-61 a directory that became a link out of the root shows nothing from there", async () => {
    const files = { "d/a.txt": "needle\n" };
    const swap = 'mv d gone; ln -s "$PWD/../outside" d';
    const { root, env, outside } = await withLateEngine(files, "./d/a.txt", swap);
    writeFileSync(join(outside, "a.txt"), "needle\n");
    expect(await searchText(root, { ...words, env })).toMatchObject({ matches: [], unverified: 1 });
  });

  it("X-61 a directory that became a link to a denied one shows nothing from there", async () => {
    const files = { "d/a.txt": "needle\n", "secret/a.txt": "needle\n" };
    const { root, env } = await withLateEngine(files, "./d/a.txt", "mv d gone; ln -s secret d");
    expect(await searchText(root, { ...words, env, deny: ["secret"] })).toMatchObject({ matches: [], unverified: 1 });
    expect((await searchText(root, { ...words, env })).matches).toHaveLength(1);
  });

  it.each(ENGINES)(
    "X-61 %s: a link inside the root that is named itself is searched, one to a denied file is not",
    async (engine) => {
      const { root, dir } = await scratchRoot({ "a.txt": "needle\n", "secret/b.txt": "needle\n" });
      symlinkSync("a.txt", join(dir, "good"));
      symlinkSync("secret/b.txt", join(dir, "bad"));
      const options = { ...words, engines: [engine], deny: ["secret"] };
      expect((await searchText(root, { ...options, paths: ["good"] })).matches).toMatchObject([{ path: "good" }]);
      await expect(searchText(root, { ...options, paths: ["bad"] })).rejects.toMatchObject({ code: "denied" });
    },
  );

  it("X-61 an engine that finds nothing but what is not there is stopped", async () => {
    const { root, env } = await withLateEngine({}, "./a.txt", "");
    const { PATH } = env;
    const rg = join(PATH.split(":")[0] ?? "", "rg");
    writeFileSync(
      rg,
      `#!/bin/sh\nexec yes '${JSON.stringify({ type: "match", data: { path: { text: "x" }, lines: { text: "needle\n" }, line_number: 1 } })}'\n`,
      { mode: 0o755 },
    );
    expect(await searchText(root, { ...words, env })).toMatchObject({
      matches: [],
      truncated: true,
      unverified: 10_000,
    });
  });
});

describe("a file is judged by what was opened", () => {
  it("X-61 a directory that became a link after its path was resolved", async () => {
    const { root, dir, outside } = await scratchRoot({ "d/a.txt": "public\n", "secret/a.txt": "secret\n" });
    writeFileSync(join(outside, "a.txt"), "outside\n");
    const guard = await createPathGuard(root, { deny: ["secret"] });
    const opened = { real: join(dir, "d/a.txt"), filePath: "d/a.txt" };
    const { handle } = await openChecked(guard, opened);
    await handle.close();
    renameSync(join(dir, "d"), join(dir, "was-d"));
    symlinkSync("secret", join(dir, "d"));
    await expect(openChecked(guard, opened)).rejects.toMatchObject({ code: "denied" });
    renameSync(join(dir, "d"), join(dir, "was-link"));
    symlinkSync(outside, join(dir, "d"));
    await expect(openChecked(guard, opened)).rejects.toMatchObject({ code: "invalid_path" });
  });
});
