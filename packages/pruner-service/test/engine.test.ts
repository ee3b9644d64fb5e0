// The seam between the contract and whatever prunes behind it.
import { createDispatcher, createSession } from "@jeeves/kit/mcp";
import { createMemoryStore } from "@jeeves/state";
import { describe, expect, it } from "vitest";
import { type Cut, cutText, type Engine } from "../src/engine.ts";
import { createProfile } from "../src/profile.ts";
import { pruneArgs, type Wire } from "./service-under-test.ts";

const events = { emit: () => {}, child: () => events };

async function pruneWith(engine: Engine, text: string): Promise<Wire> {
  const profile = createProfile({ engine, store: createMemoryStore() });
  const params = { name: "prune_text", arguments: pruneArgs(text, "x") };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const dispatcher = createDispatcher(profile, { events, env: {} });
  const reply = await dispatcher.receiveValue(message, createSession({ notify: () => {} }));
  return JSON.parse(JSON.parse(reply?.text ?? "").result.content[0].text);
}

describe("the engine", () => {
  it("K-44 may be another one: the answer keeps its form", async () => {
    const firstLineOnly: Engine = {
      async cut(_text, request) {
        expect(request).toMatchObject({ focus: "x", kind: "code", protectFrame: true, timeoutMs: 30_000 });
        expect(request.amount).toEqual({ mode: "ratio", maxPruneRatio: 0.75, minKeepLines: 1 });
        const label = { what: "lines", name: "" } as const;
        const blocks = [{ startLine: 2, endLine: 3, lineCount: 2, label }];
        const kept = Uint8Array.of(1, 0, 0);
        return { kind: "cut", pruned: { status: "pruned", kind: "code", lineCount: 3, kept, blocks, match: "clear" } };
      },
    };
    const answer = await pruneWith(firstLineOnly, "a\nb\nc");
    expect(answer.annotations).toHaveLength(1);
    expect(answer.pruned_text).toBe(`a\n${answer.annotations[0].marker}`);
    expect(answer.annotations[0].reason).toBe("hors focus: lignes");
  });

  it.each(["internal_error", "timeout", "input_too_large", "constraints_unmet"] as const)(
    "K-04 K-33 X-38 %s lets the text through",
    async (why) => {
      const cut: Cut = { kind: "whole", why };
      const answer = await pruneWith({ cut: async () => cut }, "a\nb\nc");
      expect(answer).toMatchObject({ pruned_text: "a\nb\nc", annotations: [], warnings: [why] });
      expect(answer.stats).toMatchObject({ used_fallback: true, kept_lines: 3 });
    },
  );

  it("K-27 gives up what nobody waits for, at whatever look it learns of it", async () => {
    const text = Array.from({ length: 60 }, (_, n) => `const value${n} = compute(${n});`).join("\n");
    const amount = { mode: "ratio", maxPruneRatio: 0.5, minKeepLines: 1 } as const;
    const cut = async (wantedLooks: number) => {
      let looks = 0;
      const given = await cutText(text, { focus: "value7", amount, timeoutMs: 60_000 }, () => ++looks > wantedLooks);
      return { given, looks };
    };
    const { given, looks } = await cut(Number.POSITIVE_INFINITY);
    expect(given.kind).toBe("cut");
    expect(looks).toBeGreaterThan(1);
    for (let wanted = 0; wanted < looks; wanted++) {
      expect((await cut(wanted)).given).toEqual({ kind: "whole", why: "timeout" });
    }
  });
});
