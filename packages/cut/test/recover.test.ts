import { createMemoryStore, StateError } from "@jeeves/state";
import { describe, expect, it } from "vitest";
import { type RecoverRequest, recover } from "../src/recover.ts";
import { given, request, SOURCE } from "./given.ts";

const AGENT = { session: "s2", client: "codex", tool: "recover_text", dir: "/project" };

async function withCut() {
  const one = await given();
  const cut = await one.cutter.cut(request());
  if (cut.kind !== "cut") throw new Error(cut.reason);
  const ask = (more: Partial<RecoverRequest> = {}) =>
    recover({ pruneId: cut.pruneId, caller: AGENT, ...more }, { store: one.store, meter: one.meter });
  return { ...one, ...cut, ask };
}

describe("the way back", () => {
  it("X-21 brings the text back byte for byte, and its lines by number", async () => {
    const { ask } = await withCut();
    expect(await ask()).toMatchObject({ kind: "recovered", text: SOURCE });
    const lines = await ask({ ranges: [{ startLine: 612, endLine: 613 }] });
    expect(lines).toMatchObject({ text: SOURCE.split("\n").slice(611, 613).join("\n") });
  });

  it("X-52 counts for the session that was shown the cut", async () => {
    const { ask, meterEntries, pruneId } = await withCut();
    await ask({ ranges: [{ startLine: 2, endLine: 3 }] });
    const [, line] = await meterEntries();
    expect(line).toMatchObject({
      kind: "recovered",
      session: "s1",
      client: "codex",
      what: "lines 2-3",
      prune_id: pruneId,
    });
  });

  it("a person's counts for no session", async () => {
    const { ask, meterEntries } = await withCut();
    await ask({ caller: { session: "", client: "jeeves", tool: "recover", dir: "", by: "person" } });
    expect((await meterEntries())[1]).toMatchObject({ kind: "recovered", session: "", by: "person" });
  });

  it("what cannot be had is a value, and is not counted", async () => {
    const { ask, meterEntries } = await withCut();
    expect(await ask({ pruneId: "prn_aaaaaaaaaaaa" })).toEqual({ kind: "missing" });
    expect(await ask({ judge: async () => ({ kind: "foreign" }) })).toEqual({ kind: "missing" });
    const denied = { kind: "denied", message: "a rule", hint: "ask" } as const;
    expect(await ask({ judge: async () => denied })).toEqual(denied);
    const past = { startLine: 99_999, endLine: 99_999 };
    const wrong = await ask({ ranges: [past] });
    const fault = { kind: "past_end", range: past };
    expect(wrong).toMatchObject({ kind: "invalid_range", fault, lineCount: 1_000 - 1 });
    expect(await meterEntries()).toHaveLength(1);
  });

  it("X-60 a store that does not answer is not a missing text", async () => {
    const error = new StateError("store_unavailable", "it hangs", { hint: "try again" });
    const store = { ...createMemoryStore({}), get: () => Promise.reject(error) };
    expect(await recover({ pruneId: "prn_aaaaaaaaaaaa", caller: AGENT }, { store })).toEqual({
      kind: "unavailable",
      error,
    });
  });
});
