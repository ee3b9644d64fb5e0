// What every recovery store must do, whoever keeps the texts. Run by the tests of each of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { belongsTo, pruneIdOf, type RecoveryStore, StateError } from "../../src/index.ts";

export interface StoreUnderTest {
  create(options: {
    readonly maxBytes?: number;
    readonly defaultTtlS?: number;
    readonly now?: () => number;
  }): RecoveryStore | Promise<RecoveryStore>;
}

const request = (text: string) => ({ text, focus: "what fails", options: { keep: 0.3 } });

export function describeStoreContract(name: string, { create }: StoreUnderTest): void {
  describe(`the store contract: ${name}`, () => {
    it("X-21 a stored text comes back identical", async () => {
      const store = await create({});
      const texts = ["", "\0", "a\r\nb\r\n", "\ufeffbom", "é€😀", "\ud800", "x\udc00y", "😀".repeat(70_000), "\n\n\n"];
      for (const text of texts) {
        const { pruneId } = await store.put(request(text));
        expect((await store.get(pruneId))?.text).toBe(text);
      }
    });

    it("X-21 any string comes back identical", async () => {
      const store = await create({});
      const anyString = fc.oneof(fc.string({ unit: anyUnit }), fc.string(), loneSurrogates);
      await fc.assert(
        fc.asyncProperty(anyString, async (text) => {
          const { pruneId } = await store.put(request(text));
          expect((await store.get(pruneId))?.text).toBe(text);
        }),
        { numRuns: 60 },
      );
    });

    it("X-21 the id is that of text, focus and options, and the same put gives it again", async () => {
      const store = await create({});
      const first = await store.put(request("one"));
      expect(first.pruneId).toBe(pruneIdOf("one", "what fails", { keep: 0.3 }));
      expect(await store.put(request("one"))).toEqual(first);
      expect((await store.put({ ...request("one"), focus: "else" })).pruneId).not.toBe(first.pruneId);
    });

    it("X-61 the same text cut for a second project belongs to both, under the same id", async () => {
      const store = await create({});
      const first = await store.put({ ...request("text"), project: "/code/a" });
      expect(await store.get(first.pruneId)).toMatchObject({ projects: ["/code/a"] });
      expect(await store.put({ ...request("text"), project: "/code/b" })).toEqual(first);
      await store.put({ ...request("text"), project: "/code/a" });
      await store.put(request("text"));
      const stored = await store.get(first.pruneId);
      expect(stored).toMatchObject({ text: "text", projects: ["/code/a", "/code/b"] });
      if (stored === undefined) throw new Error("not stored");
      const belongs = (isPart: boolean) =>
        Promise.all(
          ["/code/a", "/code/b", "/code", "/", "/code/ab", "/code/a/sub", "/cod"].map((project) =>
            belongsTo(stored, project, async () => isPart),
          ),
        );
      expect(await belongs(true)).toEqual([true, true, true, true, false, false, false]);
      // A repository below is a project of its own.
      expect(await belongs(false)).toEqual([true, true, false, false, false, false, false]);
    });

    it("X-61 a text that was cut for no project belongs to none", async () => {
      const store = await create({});
      const { pruneId } = await store.put(request("text"));
      const stored = await store.get(pruneId);
      expect(stored?.projects).toEqual([]);
      expect(stored !== undefined && (await belongsTo(stored, "/", async () => true))).toBe(false);
    });

    it("X-21 a second put moves the expiry and nothing else", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ now: () => nowMs });
      const source = { tool: "read", path: "a.ts" };
      const { pruneId } = await store.put({ ...request("text"), ttlS: 10, source, cut: [[2, 4]] });
      nowMs += 9_000;
      await store.put({ ...request("text"), ttlS: 10, source: { tool: "bash" } });
      nowMs += 9_000;
      expect(await store.get(pruneId)).toEqual({
        text: "text",
        storedAt: "2023-11-14T22:13:20.000Z",
        source,
        projects: [],
        cut: [[2, 4]],
      });
      const bare = await store.put(request("bare"));
      await store.put({ ...request("bare"), cut: [[2, 4]] });
      expect(await store.get(bare.pruneId)).toEqual({
        text: "bare",
        projects: [],
        storedAt: new Date(nowMs).toISOString(),
      });
    });

    it("X-21 a second put never shortens what the first promised", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ now: () => nowMs });
      const { pruneId } = await store.put({ ...request("text"), ttlS: 100 });
      await store.put({ ...request("text"), ttlS: 1 });
      nowMs += 50_000;
      expect((await store.get(pruneId))?.text).toBe("text");
    });

    it("X-21 an expired text is gone, to the millisecond", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ now: () => nowMs, defaultTtlS: 60 });
      const { pruneId } = await store.put(request("text"));
      nowMs += 59_999;
      expect((await store.get(pruneId))?.text).toBe("text");
      nowMs += 1;
      expect(await store.get(pruneId)).toBeUndefined();
      await store.put(request("text")); // and can be put again
      expect((await store.get(pruneId))?.storedAt).toBe(new Date(nowMs).toISOString());
    });

    it("X-42 a text is kept for 14 days by default", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ now: () => nowMs });
      const { pruneId } = await store.put(request("text"));
      nowMs += 14 * 86_400_000 - 1;
      expect((await store.get(pruneId))?.text).toBe("text");
      nowMs += 1;
      expect(await store.get(pruneId)).toBeUndefined();
    });

    it("X-21 an endless lifetime is no error", async () => {
      const store = await create({});
      const { pruneId } = await store.put({ ...request("text"), ttlS: Number.MAX_SAFE_INTEGER });
      expect((await store.get(pruneId))?.text).toBe("text");
    });

    it("X-21 what is no id of ours names nothing", async () => {
      const store = await create({});
      for (const id of [
        "",
        "prn_",
        "prn_abcdefghijkl",
        "../x",
        "prn_../../../etc",
        "prn_ABCDEFGHIJKL",
        "prn_abcdefghijkl\n",
        "__proto__",
      ]) {
        expect(await store.get(id)).toBeUndefined();
      }
    });

    it("X-21 over the limit the oldest go first, and never the one just put", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ maxBytes: 100_000, now: () => nowMs });
      const ids: string[] = [];
      for (let i = 0; i < 12; i++) {
        nowMs += 1000;
        ids.push((await store.put(request(String(i).padEnd(9_000, "x")))).pruneId);
        expect(await store.get(ids.at(-1) ?? "")).toBeDefined();
      }
      const there = await Promise.all(ids.map(async (id) => (await store.get(id)) !== undefined));
      expect(there[0]).toBe(false);
      expect(there.indexOf(true)).toBe(there.lastIndexOf(false) + 1);
    });

    it("X-55 over the limit texts that came in by an open door go before any text of a session", async () => {
      let nowMs = 1_700_000_000_000;
      const store = await create({ maxBytes: 100_000, now: () => nowMs });
      const put = async (name: string, more: { readonly source?: object; readonly project?: string }) => {
        nowMs += 1000;
        return (await store.put({ ...request(name.padEnd(9_000, "x")), ...more })).pruneId;
      };
      const isThere = async (id: string) => (await store.get(id)) !== undefined;
      const sessions = [
        await put("cut by a session", { source: { tool: "read" }, project: "/project" }),
        await put("cut by hand", { source: { tool: "jeeves prune" } }),
      ];
      // Came in by an open door, and was cut by a session later.
      sessions.push(await put("both", { source: { tool: "prune_text" } }));
      await put("both", { source: { tool: "read" }, project: "/project" });
      const open: string[] = [];
      for (let i = 0; i < 30; i++) {
        open.push(await put(`open ${i}`, { source: { tool: i % 2 === 0 ? "/prune" : "prune_text" } }));
        expect(await isThere(open.at(-1) ?? "")).toBe(true);
      }
      expect(await Promise.all(sessions.map(isThere))).toEqual([true, true, true]);
      const left = await Promise.all(open.map(isThere));
      expect(left.indexOf(true)).toBeGreaterThan(0);
      expect(left.indexOf(true)).toBe(left.lastIndexOf(false) + 1);
      // Sessions alone reach the limit: then the oldest of them go.
      for (let i = 0; i < 12; i++) await put(`session ${i}`, { source: { tool: "read" }, project: "/project" });
      expect(await Promise.all(open.map(isThere))).not.toContain(true);
      expect(await isThere(sessions[0] ?? "")).toBe(false);
    });

    it("X-21 a text that is larger than the whole store is refused", async () => {
      const store = await create({ maxBytes: 10_000 });
      const refused = store.put(request("x".repeat(20_000)));
      await expect(refused).rejects.toBeInstanceOf(StateError);
      await expect(refused).rejects.toMatchObject({ code: "store_unavailable" });
    });

    it("X-21 a record can be added to a text that has none, once, and to no other", async () => {
      const store = await create({});
      const { pruneId } = await store.put(request("cut later"));
      await store.describe?.(pruneId, { blocks: [[1, 1, "first"]], why: [] });
      await store.describe?.(pruneId, { blocks: [], why: [] });
      expect(await store.get(pruneId)).toMatchObject({ text: "cut later", cut: { blocks: [[1, 1, "first"]] } });
      for (const id of ["prn_aaaaaaaaaaaa", "../x", ""]) await store.describe?.(id, {});
      expect(await store.get("prn_aaaaaaaaaaaa")).toBeUndefined();
    });

    it("X-21 many puts at once are all kept", async () => {
      const store = await create({});
      const texts = Array.from({ length: 40 }, (_, i) => `text ${i % 20}`);
      const stored = await Promise.all(texts.map((text) => store.put(request(text))));
      for (const [i, { pruneId }] of stored.entries()) expect((await store.get(pruneId))?.text).toBe(texts[i]);
    });
  });
}

const loneSurrogates = fc
  .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** Any UTF-16 unit, half of a pair or not. */
const anyUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));
