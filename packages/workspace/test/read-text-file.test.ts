import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRoot, readTextFile } from "../src/index.ts";
import { scratchRoot } from "./scratch.ts";

const ALL = { maxBytes: 10_485_760 };

describe("readTextFile", () => {
  it("J-29 gives the text as it is, with BOM, CRLF and no line end at the end", async () => {
    const text = "\ufeffa\r\nb\rc\n\n😀";
    const { root } = await scratchRoot({ "a.txt": text, empty: "" });
    expect(await readTextFile(root, "a.txt", ALL)).toEqual({
      content: text,
      bytes: Buffer.byteLength(text),
      truncated: false,
      validUtf8: true,
      totalBytes: Buffer.byteLength(text),
      firstLine: 1,
    });
    expect(await readTextFile(root, "empty", ALL)).toMatchObject({ content: "", bytes: 0, truncated: false });
  });

  it("J-27 a path is resolved against the root, or absolute inside it, also through the name that the root was given", async () => {
    const { root, dir, outside } = await scratchRoot({ "sub/a.txt": "x" });
    symlinkSync(dir, join(outside, "alias"));
    const aliased = await openRoot(join(outside, "alias"));
    expect(aliased.path).toBe(root.path);
    for (const path of ["sub/a.txt", "./sub/../sub/a.txt", join(dir, "sub/a.txt"), join(outside, "alias/sub/a.txt")]) {
      expect((await readTextFile(aliased, path, ALL)).content).toBe("x");
    }
  });

  it("J-30 what is not there is not_found", async () => {
    const { root, dir } = await scratchRoot({ "a.txt": "x" });
    symlinkSync("none", join(dir, "dangling"));
    for (const path of ["none", "none/deeper", "a.txt/below", "dangling"]) {
      await expect(readTextFile(root, path, ALL)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("J-27 outside the root is invalid_path, by words or by symlink, there or not", async () => {
    const { root, dir, outside } = await scratchRoot({ "a.txt": "x" });
    writeFileSync(join(outside, "o.txt"), "secret");
    symlinkSync(outside, join(dir, "link"));
    symlinkSync(join(outside, "o.txt"), join(dir, "file-link"));
    symlinkSync(join(outside, "none"), join(dir, "dangling-out"));
    symlinkSync("loop", join(dir, "loop"));
    const paths = [
      "../outside/o.txt",
      outside,
      "link/o.txt",
      "link/none",
      "file-link",
      "dangling-out",
      "loop",
      "a\0b",
      `${dir}-not`,
      "",
    ];
    for (const path of paths) {
      await expect(readTextFile(root, path, ALL)).rejects.toMatchObject({ code: "invalid_path" });
    }
  });

  it("J-27 a path that no system opens is refused before its directories are looked at", async () => {
    const { root } = await scratchRoot({ "a.txt": "x" });
    const path = "a/".repeat(1_000_000);
    await expect(readTextFile(root, path, ALL)).rejects.toMatchObject({
      code: "invalid_path",
      message: "a path of 2000000 characters is too long",
    });
  });

  it("J-27 a symlink that stays inside is followed", async () => {
    const { root, dir } = await scratchRoot({ "sub/a.txt": "x" });
    symlinkSync("sub/a.txt", join(dir, "link"));
    expect((await readTextFile(root, "link", ALL)).content).toBe("x");
  });

  it("J-27 only regular files: a directory, a pipe and a socket are refused without waiting", async () => {
    const { root, dir } = await scratchRoot();
    mkdirSync(join(dir, "sub"));
    execFileSync("mkfifo", [join(dir, "pipe")]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(dir, "sock"), done));
    onTestFinished(() => void server.close());
    for (const [path, word] of [
      ["sub", "directory"],
      [".", "directory"],
      ["pipe", "pipe"],
      ["sock", "socket"],
    ] as const) {
      await expect(readTextFile(root, path, ALL)).rejects.toMatchObject({
        code: "invalid_path",
        message: expect.stringContaining(word),
      });
    }
  });

  it.runIf(process.platform === "linux")("J-27 a device is refused without being opened", async () => {
    const root = await openRoot("/dev");
    await expect(readTextFile(root, "zero", ALL)).rejects.toMatchObject({
      code: "invalid_path",
      message: expect.stringContaining("device"),
    });
  });

  it("J-30 a file that may not be read is permission_denied", async () => {
    const { root, dir } = await scratchRoot({ "a.txt": "x" });
    chmodSync(join(dir, "a.txt"), 0);
    if (process.getuid?.() !== 0) {
      await expect(readTextFile(root, "a.txt", ALL)).rejects.toMatchObject({ code: "permission_denied" });
      return;
    }
    // root may read everything: become someone else for the time of the call.
    chmodSync(dir, 0o755);
    chmodSync(join(dir, ".."), 0o755);
    process.seteuid?.(65534);
    try {
      await expect(readTextFile(root, "a.txt", ALL)).rejects.toMatchObject({ code: "permission_denied" });
    } finally {
      process.seteuid?.(0);
    }
  });

  it("J-30 a NUL in the first 8 KiB makes a binary file, whatever part is asked for", async () => {
    const early = Buffer.alloc(20_000, "x\n");
    early[8191] = 0;
    const late = Buffer.alloc(20_000, "x\n");
    late[8192] = 0;
    const { root } = await scratchRoot({ early, late });
    for (const options of [ALL, { maxBytes: 1024 }, { ...ALL, startLine: 9000 }]) {
      await expect(readTextFile(root, "early", options)).rejects.toMatchObject({
        code: "io_error",
        message: "binary file, 20000 bytes",
      });
    }
    expect((await readTextFile(root, "late", ALL)).content).toBe(late.toString());
  });

  it("J-26 output is cut at a code point and never over the limit", async () => {
    const { root } = await scratchRoot({ "a.txt": "a€😀é" });
    const cut = async (maxBytes: number) => readTextFile(root, "a.txt", { maxBytes });
    const texts = ["", "a", "a", "a", "a€", "a€", "a€", "a€", "a€😀", "a€😀", "a€😀é", "a€😀é"];
    for (const [maxBytes, content] of texts.entries()) {
      expect(await cut(maxBytes)).toMatchObject({ content, truncated: maxBytes < 10, validUtf8: true });
    }
  });

  it("J-26 for any text and limit: a beginning of it, within the limit, and one code point more would not fit", async () => {
    const { root, dir } = await scratchRoot();
    const codePoint = fc.constantFrom(
      "a",
      "\n",
      "é",
      "€",
      "\u{10ffff}",
      "😀",
      "\ufeff",
      "\x7f",
      "\u0080",
      "\u07ff",
      "\u0800",
    );
    const text = fc.string({ unit: codePoint, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(60), async (value, maxBytes) => {
        writeFileSync(join(dir, "any"), value);
        const { content, truncated, bytes } = await readTextFile(root, "any", { maxBytes });
        expect(value.startsWith(content)).toBe(true);
        expect(bytes).toBe(Buffer.byteLength(content));
        expect(bytes).toBeLessThanOrEqual(maxBytes);
        const next = String.fromCodePoint(value.codePointAt(content.length) ?? 0);
        if (truncated) expect(bytes + Buffer.byteLength(next)).toBeGreaterThan(maxBytes);
        else expect(content).toBe(value);
      }),
      { numRuns: 150 },
    );
  });

  it("J-30 invalid UTF-8 is shown as U+FFFD, said to be so, and still within the limit", async () => {
    const { root } = await scratchRoot({
      latin1: Buffer.from("caf\xe9 au lait", "latin1"),
      stray: Buffer.alloc(3_000, 0x80),
      torn: Buffer.from("😀").subarray(0, 3),
    });
    expect(await readTextFile(root, "latin1", ALL)).toMatchObject({ content: "caf\ufffd au lait", validUtf8: false });
    expect(await readTextFile(root, "torn", ALL)).toMatchObject({ validUtf8: false, truncated: false });
    const stray = await readTextFile(root, "stray", { maxBytes: 1024 });
    expect(stray).toMatchObject({ validUtf8: false, truncated: true, bytes: 1023 });
  });

  it.each([
    ["", 2, 0],
    ["a", 2, 1],
    ["a\n", 2, 1],
    ["a\nb", 9, 2],
    ["a\nb\n", 3, 2],
    ["a\n\n", 3, 2],
    ["a\nb", 2, undefined],
    ["", 1, undefined],
  ])("X-48 a start past the end of %j (%i) tells how many lines there are: %s", async (text, startLine, lineCount) => {
    const { root } = await scratchRoot({ "a.txt": text });
    const file = await readTextFile(root, "a.txt", { ...ALL, startLine });
    expect([file.lineCount, file.content === ""]).toEqual([lineCount, lineCount !== undefined || text === ""]);
  });

  it("X-48 a range is exactly its lines, with their line ends", async () => {
    const { root } = await scratchRoot({ "a.txt": "1\n2\r\n\n4\u2028x\n5" });
    const range = async (startLine?: number, endLine?: number) =>
      (
        await readTextFile(root, "a.txt", {
          ...ALL,
          ...(startLine === undefined ? {} : { startLine }),
          ...(endLine === undefined ? {} : { endLine }),
        })
      ).content;
    expect(await range(2, 2)).toBe("2\r\n");
    expect(await range(2, 4)).toBe("2\r\n\n4\u2028x\n");
    expect(await range(5, 9)).toBe("5");
    expect(await range(undefined, 1)).toBe("1\n");
    expect(await range(4)).toBe("4\u2028x\n5");
    expect(await range(6, 7)).toBe("");
    expect(await range(3, 2)).toBe("");
    expect(await range(1, 5)).toBe(await range());
  });

  it("X-48 for any text, the ranges from line to line put together are the text", async () => {
    const { root, dir } = await scratchRoot();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("\n", "a", "é", "\r", "xyz"), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (parts, step) => {
          const text = parts.join("");
          writeFileSync(join(dir, "any"), text);
          let joined = "";
          for (let line = 1; line <= 32; line += step) {
            const part = await readTextFile(root, "any", { ...ALL, startLine: line, endLine: line + step - 1 });
            expect(part.firstLine).toBe(line);
            joined += part.content;
          }
          expect(joined).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("X-48 lines are counted across chunks, and a range obeys the limit", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i + 1} ${"é".repeat(i % 7)}\n`);
    const { root } = await scratchRoot({ "big.txt": lines.join("") });
    const range = await readTextFile(root, "big.txt", { ...ALL, startLine: 41_000, endLine: 41_500 });
    expect(range.content).toBe(lines.slice(40_999, 41_500).join(""));
    const cut = await readTextFile(root, "big.txt", { maxBytes: 1024, startLine: 41_000, endLine: 41_500 });
    expect(cut.truncated).toBe(true);
    expect(range.content.startsWith(cut.content)).toBe(true);
    expect(cut.bytes).toBeGreaterThan(1020);
  });

  it("J-26 of a file of two gigabytes only what is needed is read", async () => {
    const { root, dir } = await scratchRoot({ huge: "first line\n".repeat(1000) });
    truncateSync(join(dir, "huge"), 2 ** 31); // sparse
    const before = process.memoryUsage().rss;
    const found = await readTextFile(root, "huge", { maxBytes: 2048, endLine: 100 });
    expect(found).toMatchObject({ totalBytes: 2 ** 31, content: "first line\n".repeat(100), truncated: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  });

  it("J-27 a file that grows while it is read is bounded all the same", async () => {
    const { root, dir } = await scratchRoot({ log: "x\n".repeat(200_000) });
    const writer = setInterval(() => appendFileSync(join(dir, "log"), "y\n".repeat(50_000)), 0);
    try {
      const found = await readTextFile(root, "log", { maxBytes: 2_000_000 });
      expect(found.bytes).toBeLessThanOrEqual(2_000_000);
      expect(found.content.startsWith("x\nx\n")).toBe(true);
    } finally {
      clearInterval(writer);
    }
  });

  it("X-02 what the deny list names is denied, also through a symlink", async () => {
    const { root, dir } = await scratchRoot({ ".env": "x", "a/.env": "x", "keys/b.txt": "x", "ok.txt": "x" });
    symlinkSync("keys/b.txt", join(dir, "innocent.txt"));
    const deny = [".env", "keys/**"];
    for (const path of [".env", "a/.env", "keys/b.txt", "innocent.txt", "./a/../a/.env"]) {
      await expect(readTextFile(root, path, { ...ALL, deny })).rejects.toMatchObject({ code: "denied" });
    }
    expect((await readTextFile(root, "ok.txt", { ...ALL, deny })).content).toBe("x");
  });

  it("J-82 an abort is obeyed", async () => {
    const { root } = await scratchRoot({ "a.txt": "x" });
    await expect(
      readTextFile(root, "a.txt", { ...ALL, signal: AbortSignal.abort(new Error("enough")) }),
    ).rejects.toThrow("enough");
  });
});
