import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fallbackStateDir } from "@jeeves/state";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMeter, followMeter, type MeterEntry, type MeterKind } from "../../src/index.ts";

let dir = "";
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-meter-"));
  env = { HOME: dir, TMPDIR: dir, JEEVES_STATE_DIR: join(dir, "state") };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const entry = (more: Partial<MeterEntry> = {}, kind: MeterKind = "cut"): Omit<MeterEntry, "ts"> => ({
  kind,
  session: "s",
  client: "c",
  tool: "Read",
  project: "/p",
  raw_tokens: 2,
  kept_tokens: 1,
  ...more,
});

describe("lines in a burst", () => {
  it("X-60 a line goes to the file that is there, though the one before stays open for it", async () => {
    const meter = createMeter(env);
    await meter.record(entry({ session: "a" }));
    rmSync(join(dir, "state", "meter"), { recursive: true });
    await meter.record(entry({ session: "a", raw_tokens: 5 }));
    expect(await meter.entriesOf("a")).toMatchObject([{ raw_tokens: 5 }]);
  });

  it("X-52 a line counts once where JEEVES_STATE_DIR is the fallback directory itself", async () => {
    const meter = createMeter({ ...env, JEEVES_STATE_DIR: fallbackStateDir(env) });
    await meter.record(entry({ session: "a" }));
    expect(await meter.entriesOf("a")).toHaveLength(1);
  });

  it("X-60 the next month has a file of its own", async () => {
    let at = new Date("2026-11-30T23:59:59.999Z");
    const meter = createMeter(env, { now: () => at });
    await meter.record(entry());
    at = new Date("2026-12-01T00:00:00.000Z");
    await meter.record(entry());
    expect(readdirSync(join(dir, "state", "meter")).sort()).toEqual(["2026-11.jsonl", "2026-12.jsonl"]);
  });
});

describe("the session of a cut", () => {
  it("X-52 is the one that asks where it was cut there, else the latest that was cut", async () => {
    const meter = createMeter(env);
    for (const session of ["a", "b", "c"]) await meter.record(entry({ session, prune_id: "prn_1" }));
    await meter.record(entry({ session: "d", prune_id: "prn_2" }));
    await meter.record(entry({ session: "e", prune_id: "prn_1" }, "recovered"));
    expect(await meter.sessionOf("prn_1")).toBe("c");
    expect(await meter.sessionOf("prn_1", "a")).toBe("a");
    expect(await meter.sessionOf("prn_1", "d")).toBe("c");
    expect(await meter.sessionOf("prn_3", "a")).toBeUndefined();
  });

  it("X-52 is none where a caller without a session was shown it and asks", async () => {
    const meter = createMeter(env);
    await meter.record(entry({ session: "", prune_id: "prn_1" }));
    await meter.record(entry({ session: "a", prune_id: "prn_1" }));
    expect(await meter.sessionOf("prn_1", "")).toBe("");
    expect(await meter.sessionOf("prn_1", "b")).toBe("a");
  });
});

describe("an entry", () => {
  it("is one line, however long the words are, under one name for each client", async () => {
    const meter = createMeter(env);
    await meter.record(entry({ what: "w".repeat(9_000), focus: "f".repeat(9_000), client: "codex-mcp-client" }));
    const [written] = await meter.entriesOf("s");
    expect(written).toMatchObject({ client: "codex", what: "w".repeat(500), focus: "f".repeat(500) });
  });

  it("that cannot be written anywhere fails no call", async () => {
    const nowhere = { JEEVES_STATE_DIR: "/dev/null/state", TMPDIR: "/dev/null" };
    await createMeter(nowhere).record(entry());
    expect(await createMeter(nowhere).entriesOf("s")).toEqual([]);
  });
});

describe("following the meter", () => {
  it("tells what comes, once, in both places, and nothing that was there", async () => {
    const meter = createMeter(env);
    await meter.record(entry({ session: "before" }));
    const follower = await followMeter(env);
    expect(await follower.readNew()).toEqual([]);
    await meter.record(entry({ session: "one" }));
    // As a sandbox leaves it: the state directory cannot be written there.
    await createMeter({ ...env, JEEVES_STATE_DIR: "/dev/null/state" }).record(entry({ session: "two" }));
    const [first, second] = await Promise.all([follower.readNew(), follower.readNew()]);
    expect(first.map(({ session }) => session)).toEqual(["one", "two"]);
    expect(second).toEqual([]);
  });

  it("from the start it tells what was there too, once", async () => {
    const meter = createMeter(env);
    for (const session of ["one", "two"]) await meter.record(entry({ session }));
    const follower = await followMeter(env, { from: "start" });
    expect((await follower.readNew()).map(({ session }) => session)).toEqual(["one", "two"]);
    await meter.record(entry({ session: "three" }));
    expect((await follower.readNew()).map(({ session }) => session)).toEqual(["three"]);
  });

  it("waits for a line to be whole, and passes over what is none", async () => {
    const file = join(dir, "state/meter/2026-11.jsonl");
    const line = JSON.stringify({ ts: "2026-11-15T00:00:00.000Z", ...entry({ session: "é" }) });
    mkdirSync(join(dir, "state/meter"), { recursive: true });
    writeFileSync(file, "");
    const follower = await followMeter(env);
    const bytes = Buffer.from(`broken\n{}\n${line}\n`);
    const half = bytes.indexOf(0xc3) + 1; // inside the letter
    appendFileSync(file, bytes.subarray(0, half));
    expect(await follower.readNew()).toEqual([]);
    appendFileSync(file, bytes.subarray(half));
    expect(await follower.readNew()).toMatchObject([{ session: "é" }]);
    expect(await follower.readNew()).toEqual([]);
  });
});
