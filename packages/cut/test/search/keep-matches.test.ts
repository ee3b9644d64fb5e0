import { type Amount, type Pruned, parseMatchLines } from "@jeeves/prune";
import { describe, expect, it } from "vitest";
import { keepBestMatches } from "../../src/search/keep-matches.ts";

const FILES = 900;
const text = Array.from(
  { length: FILES * 3 },
  (_, i) => `src/part-${Math.floor(i / 3)}/index.ts:${i}:  const place = normalizePath(given);`,
).join("\n");

/** Stands for the engine: the last lines rank highest. */
function rank(maxChars: number): Pruned {
  const lines = text.split("\n");
  const kept = new Uint8Array(lines.length);
  let left = maxChars;
  for (let i = lines.length - 1; i >= 0 && left > 60; i--) {
    left -= (lines[i]?.length ?? 0) + 1;
    kept[i] = 1;
  }
  return { status: "pruned", kind: "matches", lineCount: kept.length, kept, blocks: [], match: "clear" };
}

describe("X-51 X-58 keepBestMatches", () => {
  it.each([1_000, 3_600, 4_300, 9_000])(
    "keeps within the room, and fills it (best lines: %i characters)",
    async (bestChars) => {
      const maxChars = 8_800;
      const amount = { mode: "auto", maxChars } as const;
      const lines = parseMatchLines(text);
      if (lines === undefined) throw new Error("no match list");
      const cut = await keepBestMatches(
        { text, maxChars, isWorth: () => true },
        {
          lines,
          pruned: rank(bestChars),
          amount,
          run: async (other: Amount) => rank(other.mode === "auto" ? (other.maxChars ?? maxChars) : maxChars),
        },
      );
      expect(cut?.text.length).toBeLessThanOrEqual(maxChars);
      expect(cut?.text.length).toBeGreaterThan(maxChars - 200);
      expect(cut?.list).toMatch(/^\[\d+ more matches, path \(matches\)\]\nsrc\/part-\d+\/index\.ts \(\d\)\n/);
      expect(cut?.list).toMatch(/\n\[and \d+ more in \d+ files\]$/);
    },
  );
});
