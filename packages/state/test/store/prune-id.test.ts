import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPruneId, pruneIdOf } from "../../src/index.ts";

describe("pruneIdOf", () => {
  it("X-21 is the same on every machine", () => {
    expect(pruneIdOf("a\nb\n", "what", { keep: 0.3 })).toMatchInlineSnapshot(`"prn_sjtkylssem2x"`);
    expect(pruneIdOf("", "", undefined)).toMatchInlineSnapshot(`"prn_6i5rnhjmfgm6"`);
  });

  it("X-21 is prn_ and 12 base-32 characters, whatever goes in", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
        fc.string(),
        fc.jsonValue(),
        (text, focus, options) => isPruneId(pruneIdOf(text, focus, options)),
      ),
    );
  });

  it("X-21 the order of the options' keys does not count, their values do", () => {
    const id = pruneIdOf("t", "f", { a: 1, b: { c: 2, d: [1, 2] } });
    expect(pruneIdOf("t", "f", { b: { d: [1, 2], c: 2 }, a: 1 })).toBe(id);
    expect(pruneIdOf("t", "f", { b: { d: [2, 1], c: 2 }, a: 1 })).not.toBe(id);
    expect(pruneIdOf("t", "f", { a: 1, b: { c: 2, d: [1, 2] }, e: undefined })).toBe(id);
    expect(pruneIdOf("t", "f", JSON.parse('{"__proto__":1}'))).not.toBe(pruneIdOf("t", "f", {}));
  });

  it("X-21 parts do not run together, and different lone surrogates differ", () => {
    expect(pruneIdOf("ab", "c", {})).not.toBe(pruneIdOf("a", "bc", {}));
    expect(pruneIdOf("\ud800", "", {})).not.toBe(pruneIdOf("\ud801", "", {}));
    expect(pruneIdOf("\ud800", "", {})).not.toBe(pruneIdOf("\ufffd", "", {}));
  });
});
