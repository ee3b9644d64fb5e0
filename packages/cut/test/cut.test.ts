import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStore, createMemoryStore, StateError } from "@jeeves/state";
import { describe, expect, it } from "vitest";
import { createCutter } from "../src/cut.ts";
import type { CutRequest, CutResult, ShownCut } from "../src/cut-request.ts";
import type { Engine } from "../src/engine/engine.ts";
import { createInProcessEngine } from "../src/engine/in-process.ts";
import { constantPolicy, orderPolicy, type Policy } from "../src/policy/policy.ts";
import { STOPPED_LINE } from "../src/policy/session-net.ts";
import { estimateTokens } from "../src/text.ts";
import { ANSWER, given, QUESTION, request, SOURCE } from "./given.ts";

function shownOf(result: CutResult): ShownCut {
  if (result.kind !== "cut") throw new Error(`whole: ${result.reason} ${String(result.cause ?? "")}`);
  return result;
}

/** An engine that fails the test when it is asked. */
const untouched: Engine = { prune: () => Promise.reject(new Error("the engine was asked")) };

describe("one cut", () => {
  it("X-20 X-21 where the client's own Read is the way back, the stored file is named; a text without one stays whole", async () => {
    const dir = await mkdtemp(join(tmpdir(), "jeeves-cut-"));
    const env = { HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: dir };
    try {
      const cutter = createCutter({ engine: createInProcessEngine(), store: createDiskStore({ env }), env });
      const cut = shownOf(await cutter.cut(request({ recovery: "file" })));
      const path = join("state", "store", cut.pruneId.charAt(4), `${cut.pruneId}.txt`);
      expect(cut.lastLine).toBe(`[rest: Read ~/${path} by lines]`);
      expect(await readFile(join(dir, path), "utf8")).toBe(SOURCE);
      const { cutter: inMemory, meterEntries } = await given();
      expect(await inMemory.cut(request({ recovery: "file" }))).toMatchObject({ reason: "store_unavailable" });
      expect(await meterEntries()).toEqual([]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it("X-55 an answer leaves when it is known whether it is counted: a caller may hang up with it", async () => {
    const { cutter, meterEntries } = await given();
    let say = (_isCounted: boolean) => {};
    const isCounted = () => new Promise<boolean>((resolve) => (say = resolve));
    let isAnswered = false;
    const order = cutter.cut(request({ policy: orderPolicy, isCounted })).finally(() => (isAnswered = true));
    const other = await cutter.cut(request({ policy: orderPolicy, focus: "another question" }));
    expect(other.kind).toBe("cut");
    expect(isAnswered).toBe(false);
    say(true);
    expect((await order).kind).toBe("cut");
    await cutter.idle();
    expect(await meterEntries()).toHaveLength(2);
  });

  it("X-57 a client's own result is never cut to more bytes than it has, whatever its tokens", async () => {
    const dir = await mkdtemp(join(tmpdir(), "jeeves-cut-"));
    const env = { HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: dir };
    try {
      const deps = { engine: createInProcessEngine(), store: createDiskStore({ env }), env };
      const text = Array.from({ length: 60 }, (_, i) => `${(i * 7919 + 1) ** 3};`).join("\n");
      const about = { text: `${SOURCE}\n${text}\n`, recovery: "file", clientView: (shown: string) => shown } as const;
      const short = shownOf(await createCutter(deps).cut(request({ ...about, nameStored: async () => "short" })));
      const left = Buffer.byteLength(about.text) - Buffer.byteLength(`${short.parts.join("")}${short.lastLine}`);
      const long = "international".repeat(Math.ceil(left / "international".length) + 1);
      expect(short.keptTokens + estimateTokens(long)).toBeLessThan(short.rawTokens);
      const named = await createCutter(deps).cut(request({ ...about, nameStored: async () => long }));
      expect(named).toMatchObject({ kind: "whole", reason: "no_gain" });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it("X-20 X-21 keeps the answer, stores the text with its record, and says the way back", async () => {
    const { cutter, store, puts, meterEntries } = await given();
    const cut = shownOf(await cutter.cut(request({ project: "/project" })));
    const [shown = ""] = cut.parts;
    expect(cut.parts).toHaveLength(1);
    expect(shown).toContain(ANSWER);
    expect(shown.length).toBeLessThan(SOURCE.length / 2);
    expect(cut.lastLine).toBe(`[rest: recover_text ${cut.pruneId}]`);
    expect((await store.get(cut.pruneId))?.text).toBe(SOURCE);
    const [put] = puts;
    expect(put).toMatchObject({ focus: QUESTION, source: { tool: "read", path: "a.ts" }, project: "/project" });
    expect(put?.cut).toEqual({ blocks: expect.any(Array), why: expect.any(Array) });
    expect(await meterEntries()).toEqual([
      {
        ts: expect.any(String),
        kind: "cut",
        session: "s1",
        client: "claude-code",
        tool: "read",
        project: "/project",
        raw_tokens: estimateTokens(SOURCE),
        kept_tokens: estimateTokens(`${shown}\n${cut.lastLine}`),
        shown_tokens: estimateTokens(SOURCE),
        way: "engine",
        prune_id: cut.pruneId,
        what: "a.ts",
        focus: QUESTION,
        ms: expect.any(Number),
      },
    ]);
  });

  it("X-21 one id stands for one cut: two files with one text that are cut in two ways have two", async () => {
    const engine: Engine = {
      async prune({ count }, { path }) {
        const first = path?.endsWith(".py") === true ? 2 : 20;
        const kept = new Uint8Array(count).fill(1).fill(0, first - 1);
        const block = { startLine: first, endLine: count, lineCount: count - first + 1 };
        const blocks = [{ ...block, label: { what: "lines", name: "" } as const }];
        return { status: "pruned", kind: "code", lineCount: count, kept, blocks, match: "clear" };
      },
    };
    const { cutter } = await given({ engine });
    const idOf = async (path: string) =>
      shownOf(await cutter.cut(request({ path, args: { file_path: path } }))).pruneId;
    expect(await idOf("a.js")).not.toBe(await idOf("a.py"));
    expect(await idOf("b/a.py")).toBe(await idOf("c/a.py"));
  });

  it("asks for the focus only where the text may be cut", async () => {
    let asked = 0;
    const focus = async () => {
      asked++;
      return QUESTION;
    };
    const { cutter } = await given();
    await cutter.cut(request({ focus, text: "short\n" }));
    await cutter.cut(request({ focus, text: `diff --git a/a b/a\n${SOURCE}` }));
    expect(asked).toBe(0);
    expect(shownOf(await cutter.cut(request({ focus }))).parts[0]).toContain(ANSWER);
    expect(asked).toBe(1);
  });

  it.each([
    ["too_small", { text: "short\n" }],
    ["never_pruned", { text: `diff --git a/a b/a\n${SOURCE}` }],
    ["never_pruned", { isExact: false }],
    ["too_small", { minTokens: 1_000_000 }],
  ] satisfies [string, Partial<CutRequest>][])("X-23 %s: the engine is not asked", async (reason, more) => {
    const { cutter, puts, meterEntries } = await given({ engine: untouched });
    expect(await cutter.cut(request(more))).toMatchObject({ kind: "whole", reason, ran: false });
    expect([puts, await meterEntries()]).toEqual([[], []]);
  });

  it("X-52 off asks no engine; shadow stores and counts, and shows the whole text", async () => {
    const off = await given({ engine: untouched, env: { JEEVES_MODE: "off" } });
    expect(await off.cutter.cut(request())).toMatchObject({ kind: "whole", reason: "off", ran: false });
    const shadow = await given({ env: { JEEVES_MODE: "shadow" } });
    const result = await shadow.cutter.cut(request());
    expect(result).toMatchObject({ kind: "whole", reason: "shadow", ran: true });
    expect(result.kind === "whole" && result.shadow?.pruned.blocks.length).toBeGreaterThan(0);
    expect(shadow.puts).toHaveLength(1);
    expect((await shadow.meterEntries()).map(({ kind }) => kind)).toEqual(["shadow"]);
  });

  it("X-23 the same call again in a session is shown whole; another session and no session get the cut", async () => {
    const { cutter, meterEntries } = await given();
    const asked = (session: string, args: unknown = { file_path: "a.ts" }) =>
      cutter.cut(request({ args, caller: { session, client: "", tool: "read", dir: "" } }));
    expect((await asked("s1")).kind).toBe("cut");
    expect(await asked("s1")).toMatchObject({ kind: "whole", reason: "repeat", ran: false });
    expect((await asked("s1", { file_path: "b.ts" })).kind).toBe("cut");
    expect((await asked("s2")).kind).toBe("cut");
    expect((await asked("s3")).kind).toBe("cut");
    for (let call = 0; call < 3; call++) expect((await asked("")).kind).toBe("cut");
    expect((await meterEntries()).filter(({ kind }) => kind === "repeated")).toMatchObject([{ session: "s1" }]);
  });

  it("X-56 a session whose cuts lost money reads so once, and another one goes on", async () => {
    const { cutter, meter } = await given();
    const line = { session: "s1", client: "", tool: "read", project: "", raw_tokens: 9, kept_tokens: 1 };
    for (const kind of ["cut", "cut", "recovered", "recovered", "cut", "cut", "recovered", "recovered"] as const)
      await meter.record({ kind, ...line });
    expect(await cutter.cut(request())).toMatchObject({ reason: "stopped", notice: STOPPED_LINE });
    const again = await cutter.cut(request());
    expect(again).toMatchObject({ reason: "stopped" });
    expect(again).not.toHaveProperty("notice");
    const other = { session: "s2", client: "", tool: "read", dir: "" };
    expect((await cutter.cut(request({ caller: other }))).kind).toBe("cut");
  });

  it("X-21 what cannot be stored is not dropped", async () => {
    const memory = createMemoryStore({});
    const full = {
      get: memory.get,
      put: () => Promise.reject(new StateError("store_unavailable", "full", { hint: "" })),
    };
    const { cutter, meterEntries } = await given({ store: full });
    expect(await cutter.cut(request())).toMatchObject({ kind: "whole", reason: "store_unavailable", ran: true });
    expect(await meterEntries()).toEqual([]);
  });

  it.each(["timeout", "engine_error", "input_too_large"] as const)(
    "an engine that fails with %s leaves the text whole",
    async (failed) => {
      const { cutter, puts } = await given({ engine: { prune: async () => ({ failed, cause: "why" }) } });
      expect(await cutter.cut(request())).toMatchObject({ kind: "whole", reason: failed, ran: true, cause: "why" });
      expect(puts).toEqual([]);
    },
  );

  it("an engine that throws leaves the text whole", async () => {
    const { cutter } = await given({ engine: untouched });
    expect(await cutter.cut(request())).toMatchObject({ kind: "whole", reason: "engine_error" });
  });

  it("a policy decides by sizes: what it does not choose is shown whole, and not stored", async () => {
    const seen: { readonly rawTokens: number; readonly tokens: number }[] = [];
    const never: Policy = {
      ...constantPolicy,
      choose(rawTokens, [first]) {
        if (first !== undefined) seen.push({ rawTokens, tokens: first.tokens });
        return undefined;
      },
    };
    const { cutter, puts } = await given();
    expect(await cutter.cut(request({ policy: never }))).toMatchObject({ kind: "whole", reason: "no_gain", ran: true });
    expect(puts).toEqual([]);
    expect(seen).toEqual([{ rawTokens: estimateTokens(SOURCE), tokens: expect.any(Number) }]);
    expect(seen[0]?.tokens).toBeLessThan(estimateTokens(SOURCE) / 2);
  });
});

describe("an order", () => {
  const order = (more: Partial<CutRequest> = {}) => request({ policy: orderPolicy, ...more });

  it("X-23 is carried out whatever the mode, the size and the session", async () => {
    const { cutter } = await given({ env: { JEEVES_MODE: "off" } });
    const amount = { mode: "ratio", maxPruneRatio: 0.75, minKeepLines: 1 } as const;
    for (let call = 0; call < 2; call++) {
      const cut = shownOf(await cutter.cut(order({ text: "L1\nL2\nL3\nL4", focus: "garder L1", amount })));
      expect(cut.parts[0]).toMatch(/^L1\n⟦… 3 lines 2-4⟧$/);
    }
  });

  it("K-33 stores every text, and its answer does not wait for the meter", async () => {
    const { cutter, puts, meterEntries } = await given();
    const amount = { mode: "ratio", maxPruneRatio: 0, minKeepLines: 0 } as const;
    const cut = shownOf(await cutter.cut(order({ text: "a\nb\n", amount, stores: "always" })));
    expect(cut).toMatchObject({ parts: ["a\nb\n"], blocks: [], pruneId: expect.stringMatching(/^prn_/) });
    expect(puts).toHaveLength(1);
    expect(await meterEntries()).toEqual([]); // nothing was cut
    await cutter.cut(order({ stores: "always" }));
    expect(await meterEntries()).toHaveLength(1);
  });

  it("K-27 a store that takes too long leaves the text whole, and its end can be awaited", async () => {
    const memory = createMemoryStore({});
    let go = () => {};
    const slow = {
      get: memory.get,
      async put(put: Parameters<typeof memory.put>[0]) {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return memory.put(put);
      },
    };
    const { cutter } = await given({ store: slow });
    const result = await cutter.cut(order({ text: "a\nb\n", stores: "always", timeoutMs: 1_000 }));
    if (result.kind !== "whole" || result.stored?.kind !== "late") throw new Error(JSON.stringify(result));
    expect(result.reason).toBe("timeout");
    go();
    expect(await result.stored.end).toEqual({ kind: "stored", pruneId: result.stored.pruneId });
  });

  it("writes markers and numbers as its door asks", async () => {
    const { cutter } = await given();
    const marker = (block: { readonly lineCount: number }, id: string) => `<${block.lineCount} ${id.slice(0, 4)}>`;
    const amount = { mode: "ratio", maxPruneRatio: 0.75, minKeepLines: 1 } as const;
    const form = { marker, lineNumbers: true };
    const cut = shownOf(await cutter.cut(order({ text: "L1\nL2\nL3\nL4\n", focus: "garder L1", amount, form })));
    expect(cut.parts).toEqual(["1│ L1\n<3 prn_>\n"]);
  });
});

describe("X-51 X-57 a text that is cut only because its client displays no more", () => {
  it("is stored with its record, and counted as neither a saving nor a loss", async () => {
    const { cutter, puts, meterEntries } = await given();
    const caller = { session: "s1", client: "codex-mcp-client", tool: "read", dir: "/project" };
    const page = await cutter.fit(request({ focus: "", caller, room: { maxChars: 10_800 } }));
    if (page === undefined) throw new Error("no page");
    expect(puts[0]?.cut).toEqual({ blocks: [expect.any(Array)], why: expect.any(Array) });
    const [line] = await meterEntries();
    expect(line).toMatchObject({
      kind: "cut",
      way: "page",
      prune_id: page.pruneId,
      raw_tokens: estimateTokens(SOURCE),
    });
    // The client would have cut it as much: neither a saving nor a loss.
    expect(line?.shown_tokens).toBe(line?.kept_tokens);
    const other = await cutter.fit(request({ focus: "", room: { maxChars: 20_000 } }));
    expect(other?.pruneId).not.toBe(page.pruneId);
  });
});

describe("X-57 what the client would have shown is what a cut is measured against", () => {
  const log = Array.from({ length: 3_000 }, (_, i) =>
    i === 1_500
      ? "FAILED tests/test_orders.py::test_total - assert 3 == 4"
      : `step ${i}: copied the parts of order ${i * 7}`,
  ).join("\n");
  const preview = (text: string) => (text.length > 30_000 ? text.slice(0, 2_000) : text);

  it("a cut that shows more is made only for a failure or an answer that would be hidden, and counts as made visible", async () => {
    const { cutter, meterEntries } = await given();
    const cut = shownOf(await cutter.cut(request({ text: log, kind: "logs", clientView: preview })));
    expect(cut.parts[0]).toContain("FAILED tests/test_orders.py");
    const [made] = await meterEntries();
    expect(made).toMatchObject({ kind: "cut", visible_failures: expect.any(Number) });
    expect(made?.visible_failures).toBeGreaterThan(0);
    const calm = Array.from({ length: 3_000 }, (_, i) => `a table entry of no interest, number ${i * 7}`).join("\n");
    const quiet = request({ text: calm, kind: "docs", focus: "unrelated words", clientView: preview });
    expect(await cutter.cut(quiet)).toMatchObject({ kind: "whole", reason: "no_gain" });
  });

  describe.each(["step", "what is the weather"])("a run in which nothing failed, asked about %s", (focus) => {
    const passed = log.replace(/^FAILED.*$/m, "step 1500: copied the parts of order 10500");

    it("its own word that all went well is an answer that was made visible, and no failure", async () => {
      const { cutter, meterEntries } = await given();
      const text = `${passed}\n\n# tests 900\n# pass 900\n# fail 0\n`;
      const cut = shownOf(await cutter.cut(request({ text, focus, kind: "logs", clientView: preview })));
      expect(cut.parts[0]).toContain("# pass 900");
      const [made] = await meterEntries();
      expect(made).toMatchObject({ visible_failures: 0, made_visible: expect.any(Number) });
    });

    it("a line that only names trouble is shown, and is no failure", async () => {
      const { cutter, meterEntries } = await given();
      const named = "step 1500: the error budget is at 99.9 %";
      const text = passed.replace(/^step 1500.*$/m, named);
      const cut = shownOf(await cutter.cut(request({ text, focus, kind: "logs", clientView: preview })));
      expect(cut.parts[0]).toContain(named);
      const [made] = await meterEntries();
      expect(made?.visible_failures ?? 0).toBe(0);
    });

    it("its last lines are shown where that is shorter than what the client shows, and are no failure", async () => {
      const { cutter, meterEntries } = await given();
      const text = `${passed}\nall is copied\nover and out\n`;
      const view = (whole: string) => whole.slice(0, 20_000);
      const cut = shownOf(await cutter.cut(request({ text, focus, kind: "logs", clientView: view })));
      expect(cut.parts[0]).toContain("over and out");
      const [made] = await meterEntries();
      expect(made?.visible_failures ?? 0).toBe(0);
    });
  });
});
