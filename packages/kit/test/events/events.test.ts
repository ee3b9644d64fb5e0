// Events: their form, and that no sink can hurt the one who emits.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEvents, type EventOptions } from "../../src/events/index.ts";
import { textIn } from "../text-in.ts";

const now = () => new Date("2026-01-02T03:04:05.678Z");

function collect(options: Partial<EventOptions> = {}) {
  const stderr = new PassThrough();
  const events = createEvents({ stderr, now, ...options });
  const text = async () => {
    await events.flush();
    return textIn(stderr);
  };
  return { events, text };
}

describe("events", () => {
  it("J-68 J-77 one JSON line each, with nothing that was not said", async () => {
    const { events, text } = collect();
    events.emit("info", "a.b");
    events.child("r1").emit("warn", "c.d", { n: 1 });
    expect(await text()).toBe(
      '{"ts":"2026-01-02T03:04:05.678Z","level":"info","event":"a.b"}\n' +
        '{"ts":"2026-01-02T03:04:05.678Z","level":"warn","event":"c.d","request_id":"r1","data":{"n":1}}\n',
    );
  });

  it("J-68 data that JSON cannot say costs the data, not the event", async () => {
    const { events, text } = collect();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    events.emit("error", "x", cycle);
    expect(JSON.parse(await text())).toMatchObject({ event: "x", data: { unserializable: true } });
  });

  it("leaves out what is below the level asked for", async () => {
    const { events, text } = collect({ minLevel: "warn" });
    events.emit("info", "quiet");
    events.child("r").emit("debug", "quiet");
    events.emit("warn", "loud");
    expect((await text()).match(/"event":"\w+"/g)).toEqual(['"event":"loud"']);
  });

  it("as text it is one line, whatever the data", async () => {
    const { events, text } = collect({ format: "text" });
    events.emit("info", "a.b", { path: "src/x.ts", words: "two words", n: 3 }, "r1");
    expect(await text()).toBe('2026-01-02T03:04:05.678Z info  a.b request_id=r1 path=src/x.ts words="two words" n=3\n');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (value) => {
        events.emit("info", "x", { value });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(await text()).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/);
      }),
    );
  });

  it("what one turn of the event loop has to say is one write, and is not waited for", async () => {
    const writes: string[] = [];
    const stderr = new Writable({ write: (chunk, _encoding, done) => done(void writes.push(String(chunk))) });
    const events = createEvents({ stderr, now });
    for (let n = 0; n < 3; n++) events.emit("info", "x", { n });
    expect(writes).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes.map((text) => text.match(/"n":\d/g))).toEqual([['"n":0', '"n":1', '"n":2']]);
  });

  it("J-06 a stderr that throws, fails or stalls is given up, without a word to the caller", async () => {
    const throwing = new PassThrough();
    throwing.write = () => {
      throw new Error("no");
    };
    const broken = new PassThrough();
    let written = 0;
    const stalled = new Writable({
      write: (chunk) => {
        written += chunk.length;
      },
    });
    for (const stderr of [throwing, broken, stalled]) {
      const events = createEvents({ stderr });
      if (stderr === broken) broken.destroy(new Error("EPIPE"));
      for (let n = 0; n < 2_000; n++) events.emit("info", "x", { text: "y".repeat(1_000) });
      await events.flush();
    }
    expect(written).toBeGreaterThan(0);
    expect(stalled.writableLength).toBeLessThan(1_100_000);
  });

  it("X-17 the file gets the same events in the same order, as they were when emitted", async () => {
    const dir = await mkdtemp(join(tmpdir(), "jeeves-events-"));
    try {
      const file = join(dir, "events.jsonl");
      const { events, text } = collect({ file });
      const data = { n: 0 };
      for (; data.n < 50; data.n++) events.emit("info", "x", data, "r");
      expect(await text()).toBe(await readFile(file, "utf8"));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
