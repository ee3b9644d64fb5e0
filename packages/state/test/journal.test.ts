import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJournal, readJournal, tailJournal } from "../src/index.ts";
import { buildProgram } from "./child-program.ts";
import { scratchDir } from "./scratch.ts";

async function all(entries: AsyncIterable<object>): Promise<object[]> {
  const found: object[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

async function next(entries: AsyncIterator<object>): Promise<object | undefined> {
  const { value, done } = await entries.next();
  return done === true ? undefined : value;
}

describe("createJournal", () => {
  it("X-17 appends one JSON line per entry, in order, 0600", async () => {
    const file = join(scratchDir(), "deep", "events.jsonl");
    const journal = createJournal(file);
    await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append({ n, text: "a\nb\u2028" })));
    await journal.close();
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines).toHaveLength(101);
    expect(lines.slice(0, 100).map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("X-17 a line that an earlier writer left torn does not swallow the next one", async () => {
    const file = join(scratchDir(), "events.jsonl");
    writeFileSync(file, '{"n":1}\n{"n":2,"te');
    const journal = createJournal(file);
    await journal.append({ n: 3 });
    await journal.close();
    expect(await all(readJournal(file))).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it("X-54 a line that another writer tears while we have the file open does not swallow ours", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const journal = createJournal(file);
    await journal.append({ n: 1 });
    // The disk is full for the other one, half way through its second line.
    const other = buildProgram(
      `
      import { createJournal } from "@jeeves/state";
      const journal = createJournal(process.argv[2] ?? "");
      await journal.append({ n: 2 });
      await journal.append({ n: 3, text: "x".repeat(2_000) }).catch((error) => console.log(error.message));
    `,
      { maxFileBytes: 1_024 },
    )(file);
    expect(await other.nextLine()).toContain("bytes were written");
    expect(await other.ended()).toBe(0);
    await journal.append({ n: 4 });
    await journal.append({ n: 5 });
    await journal.close();
    expect(await all(readJournal(file))).toEqual([{ n: 1 }, { n: 2 }, { n: 4 }, { n: 5 }]);
  });

  it("X-54 whatever others write between our lines, each of ours can be read, once", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const journal = createJournal(file);
    const many = '{"whole":1}\n'.repeat(10_000);
    const others = ['{"torn":', "{", '{"torn":1}', '{"whole":1}\n', many, '\n{"torn":"'];
    for (const [n, text] of others.entries()) {
      await journal.append({ n });
      appendFileSync(file, text);
    }
    await journal.append({ n: others.length });
    await journal.close();
    const found = await all(readJournal(file));
    expect(found.filter((entry) => "n" in entry)).toEqual(Array.from({ length: 7 }, (_, n) => ({ n })));
    expect(found.filter((entry) => "whole" in entry)).toHaveLength(10_001);
  });

  it("X-17 a journal that was emptied goes on with whole lines and nothing else", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const journal = createJournal(file);
    for (let n = 1; n <= 3; n++) await journal.append({ n });
    writeFileSync(file, "");
    for (let n = 4; n <= 5; n++) await journal.append({ n });
    await journal.close();
    expect(readFileSync(file, "utf8")).toBe('{"n":4}\n{"n":5}\n');
  });

  it("X-17 a journal that was removed, with its directory, goes on in a new file", async () => {
    const dir = join(scratchDir(), "runs");
    const file = join(dir, "events.jsonl");
    const journal = createJournal(file);
    await journal.append({ n: 1 });
    rmSync(dir, { recursive: true });
    await Promise.all([journal.append({ n: 2 }), journal.append({ n: 3 })]);
    await journal.close();
    expect(await all(readJournal(file))).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it("X-17 a file that cannot be opened fails that append, and the next one tries again", async () => {
    const dir = scratchDir();
    const journal = createJournal(join(dir, "events.jsonl"));
    mkdirSync(join(dir, "events.jsonl"));
    await expect(journal.append({ n: 1 })).rejects.toThrow(/EISDIR/);
    renameSync(join(dir, "events.jsonl"), join(dir, "elsewhere"));
    await journal.append({ n: 2 });
    await journal.close();
    expect(await all(readJournal(join(dir, "events.jsonl")))).toEqual([{ n: 2 }]);
  });

  it("X-17 several processes append to one file and no line is torn", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const start = buildProgram(`
      import { createJournal } from "@jeeves/state";
      const journal = createJournal(process.argv[2] ?? "");
      const text = "x".repeat(9000);
      for (let n = 0; n < 100; n++) await journal.append({ who: process.argv[3], n, text });
      await journal.close();
    `);
    await Promise.all(["a", "b", "c"].map((who) => start(file, who).ended()));
    const found = await all(readJournal(file));
    expect(found).toHaveLength(300);
    expect(
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    ).toHaveLength(300);
  });

  it("X-17 a pipe without a reader takes what fits, fails the rest, and keeps no process from its end", async () => {
    const pipe = join(scratchDir(), "events.pipe");
    execFileSync("mkfifo", [pipe]);
    const child = buildProgram(`
      import { createJournal } from "@jeeves/state";
      const journal = createJournal(process.argv[2] ?? "");
      const failures = new Set();
      for (let n = 0; n < 200; n++)
        await journal.append({ n, text: "x".repeat(1_000) }).catch((error) => failures.add(error.code));
      console.log([...failures].join());
      process.stdin.once("data", async () => {
        await journal.append({ n: "read again" });
        console.log("done");
        for (let n = 0; n < 200; n++) journal.append({ n, text: "x".repeat(1_000) }).catch(() => {});
        setImmediate(() => process.exit(0));
      });
    `)(pipe);
    expect(await child.nextLine()).toBe("EAGAIN");
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(1_048_576);
      const lines = () => buffer.toString("utf8", 0, readSync(reader, buffer)).split("\n").filter(Boolean);
      const early = lines().map((line) => JSON.parse(line).n);
      expect(early.length).toBeGreaterThan(0);
      expect(early).toEqual(early.map((_, n) => n));
      child.process.stdin?.end("\n");
      expect(await child.nextLine()).toBe("done");
      expect(lines()[0]).toBe('{"n":"read again"}');
      expect(await child.ended()).toBe(0);
    } finally {
      closeSync(reader);
    }
  });

  it("X-54 what was appended survives the death of the process", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const child = buildProgram(`
      import { createJournal } from "@jeeves/state";
      await createJournal(process.argv[2] ?? "").append({ n: 1 });
      process.kill(process.pid, "SIGKILL");
    `)(file);
    expect(await child.ended()).toBeNull();
    expect(await all(readJournal(file))).toEqual([{ n: 1 }]);
  });
});

describe("readJournal", () => {
  it("X-17 skips what is no whole JSON object and reads everything else", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const wide = "é😀".repeat(120_000); // several chunks, with code points across their edges
    writeFileSync(file, `{"n":1}\n\nnot json\n42\nnull\n${JSON.stringify({ wide })}\n{"n":2}\n{"n":3`);
    expect(await all(readJournal(file))).toEqual([{ n: 1 }, { wide }, { n: 2 }]);
  });

  it("X-17 gives only entries that hold the words asked for, wherever they stand", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const mine = 'a "quoted" é 😀 \\ name';
    const entries = Array.from({ length: 400 }, (_, n) => ({ n, who: n % 7 === 3 ? mine : `other ${n}` }));
    const long = { who: mine, text: "x".repeat(3_000_000) }; // over several chunks
    writeFileSync(file, [...entries, long, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const wanted = entries.filter(({ who }) => who === mine);
    expect(await all(readJournal(file, { holding: mine }))).toEqual([...wanted, long, ...wanted]);
    expect(await all(readJournal(file, { holding: "nobody" }))).toEqual([]);
    expect(await all(readJournal(file, { holding: "other 399" }))).toEqual([entries[399], entries[399]]);
  });

  it("X-17 a line without end costs itself and nothing behind it", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const endless = JSON.stringify({ text: "x".repeat(17 * 1024 * 1024) });
    writeFileSync(file, `{"n":1}\n${endless}\n{"n":2}\n${endless}`);
    expect(await all(readJournal(file))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("X-17 a journal that is not there is empty", async () => {
    expect(await all(readJournal(join(scratchDir(), "none")))).toEqual([]);
  });
});

describe("tailJournal", () => {
  it("X-17 gives what is there and what comes, a torn line once it is whole, and ends at the abort", async () => {
    const file = join(scratchDir(), "events.jsonl");
    writeFileSync(file, '{"n":1}\n{"n":');
    const stop = new AbortController();
    const entries = tailJournal(file, { signal: stop.signal, pollMs: 5 });
    expect(await next(entries)).toEqual({ n: 1 });
    const second = next(entries);
    appendFileSync(file, "2}\n");
    expect(await second).toEqual({ n: 2 });
    const none = next(entries);
    stop.abort();
    expect(await none).toBeUndefined();
  });

  it("X-17 from the end it gives only what comes", async () => {
    const file = join(scratchDir(), "events.jsonl");
    writeFileSync(file, '{"n":1}\n');
    const stop = new AbortController();
    const entries = tailJournal(file, { signal: stop.signal, pollMs: 5, from: "end" });
    const first = next(entries);
    const writer = setInterval(() => appendFileSync(file, '{"n":2}\n'), 5); // some come before the size is read: no matter
    expect(await first.finally(() => clearInterval(writer))).toEqual({ n: 2 });
    stop.abort();
    await entries.return(undefined);
  });

  it("X-17 waits for a file that is not there yet, and follows one that is replaced or emptied", async () => {
    const file = join(scratchDir(), "events.jsonl");
    const stop = new AbortController();
    const entries = tailJournal(file, { signal: stop.signal, pollMs: 5 });
    const first = next(entries);
    writeFileSync(file, '{"n":1}\n');
    expect(await first).toEqual({ n: 1 });
    const second = next(entries);
    writeFileSync(`${file}.new`, '{"n":2,"longer":true}\n');
    renameSync(`${file}.new`, file);
    expect(await second).toEqual({ n: 2, longer: true });
    const third = next(entries);
    writeFileSync(file, '{"n":3}\n'); // the same file, now shorter than what was read
    expect(await third).toEqual({ n: 3 });
    stop.abort();
    expect(await next(entries)).toBeUndefined();
  });
});
