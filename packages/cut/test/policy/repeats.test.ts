import { describe, expect, it } from "vitest";
import type { MeterEntry } from "../../src/meter/meter.ts";
import { createRepeatMemory, repeatsInMeter } from "../../src/policy/repeats.ts";

const call = (session: string, args: unknown = "a.ts", isSearch = false) => ({ session, tool: "read", args, isSearch });
const MINUTE = 60_000;

describe("calls that repeat (X-23)", () => {
  it("are the same call with the same text, in one session, within ten minutes", () => {
    let now = 0;
    const memory = createRepeatMemory(() => now);
    memory.remember(call("s1"), "text");
    expect(memory.isRepeat(call("s1"), "text")).toBe(true);
    expect(memory.isRepeat(call("s1"), "another text")).toBe(false);
    expect(memory.isRepeat(call("s1", "b.ts"), "text")).toBe(false);
    expect(memory.isRepeat(call("s2"), "text")).toBe(false);
    now = 9 * MINUTE;
    expect(memory.isRepeat(call("s1"), "text")).toBe(true);
    now = 10 * MINUTE;
    expect(memory.isRepeat(call("s1"), "text")).toBe(false);
  });

  it("X-58 a search is recognised whatever it returns", () => {
    const memory = createRepeatMemory();
    memory.remember(call("s1"), undefined);
    expect(memory.isRepeat(call("s1"), "in another order")).toBe(true);
  });

  it("callers that cannot be told apart never repeat one", () => {
    const memory = createRepeatMemory();
    memory.remember(call(""), "text");
    expect(memory.isRepeat(call(""), "text")).toBe(false);
  });

  it("forgets the oldest of many", () => {
    const memory = createRepeatMemory();
    for (let i = 0; i <= 1_000; i++) memory.remember(call("s1", i), "text");
    expect(memory.isRepeat(call("s1", 0), "text")).toBe(false);
    expect(memory.isRepeat(call("s1", 1_000), "text")).toBe(true);
  });
});

describe("calls that repeat, read off the meter", () => {
  const entry: MeterEntry = {
    ts: new Date(0).toISOString(),
    kind: "cut",
    session: "s1",
    client: "codex",
    tool: "read",
    project: "/p",
    raw_tokens: 9,
    kept_tokens: 1,
    what: "rg x",
    prune_id: "prn_aaaaaaaaaaaa",
  };
  const memory = (now: number, history: readonly MeterEntry[] = [entry]) =>
    repeatsInMeter(history, { what: "rg x", dir: "/p", now: () => now });

  it("a search by its words and its directory, anything else by its cut", () => {
    expect(memory(MINUTE).isRepeat(call("s1", "rg x", true), "any")).toBe(true);
    expect(memory(MINUTE).isRepeat(call("s1", "rg x", false), "any")).toBe(false);
    expect(memory(MINUTE, [{ ...entry, project: "/q" }]).isRepeat(call("s1", "rg x", true), "any")).toBe(false);
    expect(memory(MINUTE).isShown("prn_aaaaaaaaaaaa")).toBe(true);
    expect(memory(MINUTE).isShown("prn_bbbbbbbbbbbb")).toBe(false);
    expect(memory(11 * MINUTE).isShown("prn_aaaaaaaaaaaa")).toBe(false);
    expect(memory(MINUTE, [{ ...entry, kind: "shadow" }]).isShown("prn_aaaaaaaaaaaa")).toBe(false);
  });
});
