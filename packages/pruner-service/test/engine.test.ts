// The seam between the contract and whatever prunes behind it.
import { createCutter, type Engine, type EngineFailure } from "@jeeves/cut";
import type { Events } from "@jeeves/kit/events";
import { createDispatcher, createSession } from "@jeeves/kit/mcp";
import type { Pruned } from "@jeeves/prune";
import { createMemoryStore, type RecoveryStore } from "@jeeves/state";
import { describe, expect, it } from "vitest";
import { createProfile } from "../src/profile.ts";
import { pruneArgs, type Wire } from "./service-under-test.ts";

const logged: { readonly event: string; readonly data: unknown }[] = [];
const events: Events = { emit: (_level, event, data) => logged.push({ event, data }), child: () => events };

interface How {
  readonly store?: RecoveryStore;
  readonly options?: Readonly<Record<string, unknown>>;
}

async function pruneWith(engine: Engine, text: string, { store = createMemoryStore(), options = {} }: How = {}) {
  const profile = createProfile({ cutter: createCutter({ engine, store, env: {} }), store });
  const params = { name: "prune_text", arguments: pruneArgs(text, "x", options) };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const dispatcher = createDispatcher(profile, { events, env: {} });
  const reply = await dispatcher.receiveValue(message, createSession({ notify: () => {} }));
  const answer: Wire = JSON.parse(JSON.parse(reply?.text ?? "").result.content[0].text);
  return answer;
}

/** Keeps the first of three lines. */
const cutOfThree = (): Pruned => {
  const blocks = [{ startLine: 2, endLine: 3, lineCount: 2, label: { what: "lines", name: "" } as const }];
  const kept = Uint8Array.of(1, 0, 0);
  return { status: "pruned", kind: "code", lineCount: 3, kept, blocks, match: "clear" };
};

describe("the engine", () => {
  it("K-44 may be another one: the answer keeps its form", async () => {
    const firstLineOnly: Engine = {
      async prune(table, request) {
        expect(table).toMatchObject({ text: "a\nb\nc", count: 3 });
        expect(request).toMatchObject({ focus: "x", kind: "code", protectFrame: true, timeoutMs: 30_000 });
        expect(request.amount).toEqual({ mode: "ratio", maxPruneRatio: 0.75, minKeepLines: 1 });
        return cutOfThree();
      },
    };
    const answer = await pruneWith(firstLineOnly, "a\nb\nc");
    expect(answer.annotations).toHaveLength(1);
    expect(answer.pruned_text).toBe(`a\n${answer.annotations[0].marker}`);
    expect(answer.annotations[0].reason).toBe("hors focus: lignes");
  });

  const unmet: Pruned = { ...cutOfThree(), status: "whole", note: "constraints_unmet", blocks: [] };
  const failures: [string, Pruned | EngineFailure][] = [
    ["internal_error", { failed: "engine_error", cause: new Error("a bug") }],
    ["timeout", { failed: "timeout" }],
    ["input_too_large", { failed: "input_too_large" }],
    ["constraints_unmet", unmet],
  ];
  it.each(failures)("K-04 K-33 X-38 %s lets the text through", async (why, outcome) => {
    const answer = await pruneWith({ prune: async () => outcome }, "a\nb\nc");
    expect(answer).toMatchObject({ pruned_text: "a\nb\nc", annotations: [], warnings: [why] });
    expect(answer.stats).toMatchObject({ used_fallback: true, original_lines: 3, kept_lines: 3, pruned_ratio: 0 });
    expect(answer.stats.tokens_est_before).toBeGreaterThan(0);
    expect(answer.stats.tokens_est_after).toBe(answer.stats.tokens_est_before);
  });

  it("K-27 is asked about each text at once, however many it works on: timeout_ms runs from the request", async () => {
    const waiting: (() => void)[] = [];
    const slow: Engine = {
      prune: () => new Promise((resolve) => waiting.push(() => resolve({ failed: "timeout" }))),
    };
    const store = createMemoryStore();
    const profile = createProfile({ cutter: createCutter({ engine: slow, store, env: {} }), store });
    const dispatcher = createDispatcher(profile, { events, env: {} });
    const session = createSession({ notify: () => {} });
    const params = { name: "prune_text", arguments: pruneArgs("a", "x") };
    const calls = Array.from({ length: 100 }, (_, id) =>
      dispatcher.receiveValue({ jsonrpc: "2.0", id, method: "tools/call", params }, session),
    );
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(100);
    for (const finish of waiting) finish();
    await Promise.all(calls);
  });
});

describe("a store that takes longer than timeout_ms", () => {
  /** Stores, or fails, when it is told to. */
  const createSlowStore = () => {
    const memory = createMemoryStore();
    let go: (how: { readonly fails: boolean }) => void = () => {};
    const told = new Promise<{ readonly fails: boolean }>((resolve) => {
      go = resolve;
    });
    const store: RecoveryStore = {
      get: memory.get,
      async put(request) {
        if ((await told).fails) throw new Error("the disk is full");
        return memory.put(request);
      },
    };
    return { store, go };
  };
  const engines: [string, Engine][] = [
    ["cut in time", { prune: async () => cutOfThree() }],
    ["late too", { prune: async () => ({ failed: "timeout" }) }],
  ];

  it.each(engines)(
    "K-27 K-33 %s: the text comes back whole, and its id brings it back later",
    async (_what, engine) => {
      const { store, go } = createSlowStore();
      const answer = await pruneWith(engine, "a\nb\nc", { store, options: { timeout_ms: 1 } });
      expect(answer).toMatchObject({ pruned_text: "a\nb\nc", annotations: [], warnings: ["timeout"] });
      expect(answer.stats).toMatchObject({ used_fallback: true, kept_lines: 3 });
      expect(await store.get(answer.prune_id)).toBeUndefined();
      go({ fails: false });
      await expect.poll(() => store.get(answer.prune_id), { timeout: 30_000 }).toMatchObject({ text: "a\nb\nc" });
    },
  );

  it("K-39 if it fails in the end, the log says so", async () => {
    const { store, go } = createSlowStore();
    logged.length = 0;
    await pruneWith({ prune: async () => cutOfThree() }, "a\nb\nc", { store, options: { timeout_ms: 1 } });
    const fallbacks = () => logged.filter(({ event }) => event === "pruner.fallback").map(({ data }) => data);
    expect(fallbacks()).toEqual([{ tool: "prune_text", warnings: ["timeout"] }]);
    go({ fails: true });
    const failed = { tool: "prune_text", warnings: ["recovery_unavailable"] };
    await expect.poll(fallbacks, { timeout: 30_000 }).toContainEqual(failed);
  });
});
