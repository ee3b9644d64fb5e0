import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constantPolicy } from "../../src/policy/policy.ts";
import { policyFor, policyLevelOf, pricedPolicy } from "../../src/policy/priced.ts";
import { OUTPUT_CLASSES, type OutputClass } from "../../src/policy/situation.ts";

const engine = (tokens: number) => ({ way: "engine", tokens }) as const;
const outline = (tokens: number) => ({ way: "outline", tokens }) as const;
const short = (tokens: number) => ({ way: "short", tokens }) as const;
const unseen = (tokens: number) => ({ way: "unseen", tokens }) as const;
const at = (contextTokens: number, outputClass: OutputClass = "read") => ({ class: outputClass, contextTokens });

describe("X-56 a cut is a priced decision", () => {
  it("the same cut pays in a small context and not in a large one", () => {
    const cuts = [outline(500)];
    expect(pricedPolicy(at(20_000), "careful").choose(8_000, cuts)).toEqual(cuts[0]);
    expect(pricedPolicy(at(400_000), "careful").choose(8_000, cuts)).toBeUndefined();
  });

  it("the same saving pays for a test run, which is hardly asked for again, and not for a search", () => {
    const policy = (outputClass: OutputClass) => pricedPolicy(at(100_000, outputClass), "careful");
    expect(policy("test").choose(3_000, [engine(500)])).toBeDefined();
    expect(policy("search").choose(3_000, [engine(500)])).toBeUndefined();
  });

  it("of a large file the outline is taken: more of it comes back, but in small blocks", () => {
    const policy = pricedPolicy(at(60_000), "careful");
    expect(policy.choose(12_000, [engine(5_000), outline(2_000)])?.way).toBe("outline");
    expect(policy.choose(12_000, [engine(500), outline(2_000)])?.way).toBe("outline");
    // Of what has no outline there is nothing else.
    expect(policy.choose(12_000, [engine(500)])?.way).toBe("engine");
  });

  it("a test run is shown in short where that pays, but not by the careful", () => {
    const choose = (level: "careful" | "balanced") =>
      pricedPolicy(at(30_000, "test"), level).choose(6_000, [engine(4_000), short(1_500)])?.way;
    expect(choose("balanced")).toBe("short");
    expect(choose("careful")).toBe("engine");
  });

  it("what the session has already is left out from 100 tokens on, whatever the context", () => {
    const policy = pricedPolicy(at(500_000), "careful");
    expect(policy.choose(1_000, [unseen(880)])?.way).toBe("unseen");
    expect(policy.choose(1_000, [unseen(920)])).toBeUndefined();
    expect(policy.choose(1_000, [])).toBeUndefined();
  });

  it("a text that the session has seen is more likely to be asked for again", () => {
    const risk = (repeated: number) => pricedPolicy({ ...at(50_000), repeated }, "careful").riskOf?.(outline(1));
    expect(risk(1)).toBeGreaterThan(risk(0) ?? 1);
  });

  it("a level is never less careful than the one below it, and no cut is taken that shows more", () => {
    fc.assert(
      fc.property(
        fc.record({
          shown: fc.integer({ min: 400, max: 60_000 }),
          kept: fc.integer({ min: 1, max: 60_000 }),
          context: fc.integer({ min: 0, max: 500_000 }),
          outputClass: fc.constantFrom(...OUTPUT_CLASSES),
        }),
        ({ shown, kept, context, outputClass }) => {
          const takes = (level: "careful" | "balanced" | "keen") =>
            pricedPolicy(at(context, outputClass), level).choose(shown, [engine(kept), outline(kept), short(kept)]) !==
            undefined;
          const [careful, balanced, keen] = [takes("careful"), takes("balanced"), takes("keen")];
          expect(careful && !balanced).toBe(false);
          expect(balanced && !keen).toBe(false);
          if (kept >= shown) expect(keen).toBe(false);
        },
      ),
    );
  });

  it("texts under 400 tokens and diffs stay whole", () => {
    const policy = pricedPolicy(at(1_000), "keen");
    expect(policy.gate({ text: "word ".repeat(300) })).toBe("too_small");
    expect(policy.gate({ text: "word ".repeat(600) })).toBeUndefined();
    expect(policy.gate({ text: `diff --git a/x b/x\n${"word ".repeat(600)}` })).toBe("never_pruned");
    expect(policy.gate({ text: "word ".repeat(600), isExact: false })).toBe("never_pruned");
  });

  it("where no transcript tells the context, X-23's constants hold", () => {
    expect(policyFor(undefined, {})).toBe(constantPolicy);
    expect(policyFor({ class: "read" }, {})).toBe(constantPolicy);
    expect(policyFor(at(0), {})).not.toBe(constantPolicy);
  });

  it("JEEVES_POLICY names the level; any other word means careful", () => {
    expect(policyLevelOf({})).toBe("careful");
    expect(policyLevelOf({ JEEVES_POLICY: " Balanced " })).toBe("balanced");
    expect(policyLevelOf({ JEEVES_POLICY: "keen" })).toBe("keen");
    expect(policyLevelOf({ JEEVES_POLICY: "reckless" })).toBe("careful");
  });
});
