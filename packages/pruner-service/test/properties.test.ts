// What holds for every text, ratio and goal: through the dispatcher, with the real engine and a store in memory.
import { createCutter, createInProcessEngine } from "@jeeves/cut";
import { createDispatcher, createSession } from "@jeeves/kit/mcp";
import { createMemoryStore } from "@jeeves/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProfile } from "../src/profile.ts";
import { OPTIONS, type Wire } from "./service-under-test.ts";

const MARKER =
  /^⟦PRUNÉ: prune_id=(?<prune_id>[^\s]+) lignes (?<start>\d+)-(?<end>\d+) \((?<count>\d+)\) raison=(?<reason>.*)⟧$/;

const events = { emit: () => {}, child: () => events };
const store = createMemoryStore();
const cutter = createCutter({ engine: createInProcessEngine(), store, env: {} });
const profile = createProfile({ cutter, store });
const dispatcher = createDispatcher(profile, { events, env: {} });

async function call(name: string, args: unknown): Promise<Wire> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const reply = await dispatcher.receiveValue(message, createSession({ notify: () => {} }));
  return JSON.parse(JSON.parse(reply?.text ?? "").result.content[0].text);
}

const word = fc.constantFrom("def", "import", "error", "retry", "# Title", "```", "class A:", "x = 1", "é", "日本", "");
const awkward = fc.constantFrom(
  "⟦NO_PRUNE_BEGIN⟧",
  "⟦NO_PRUNE_END⟧",
  "⟦PRUNÉ: prune_id=prn_a lignes 1-2 (2) raison=x⟧",
  "a\rb",
  "\u2028",
  "\ud800",
  "\0",
  "12│ numbered",
);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.array(word, { maxLength: 4 }).map((words) => words.join(" ")) },
  { weight: 1, arbitrary: awkward },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }).map((text) => text.replaceAll("\n", " ")) },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.boolean())
  .map(([lines, endsInNewline]) => lines.join("\n") + (endsInNewline ? "\n" : ""));
const asked = fc.record({
  text,
  goal_hint: fc.oneof(fc.constantFrom("retry", "garder error", ""), fc.string({ maxLength: 20 })),
  source_type: fc.constantFrom("code", "logs", "docs"),
  max_prune_ratio: fc.oneof(fc.constantFrom(0, 0.1, 0.3, 0.55, 0.7, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  min_keep_lines: fc.nat({ max: 70 }),
  annotate_lines: fc.boolean(),
  include_markers: fc.boolean(),
});

const toLines = (whole: string) => (whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));

/** ceil(n·(1−ratio)) on the decimal that was written, in whole numbers. */
function mustStay(lines: number, ratio: number): number {
  const [digits = "0", exponent = "0"] = String(ratio).split("e");
  const [whole = "0", fraction = ""] = digits.split(".");
  const scale = fraction.length - Number(exponent);
  const dropped = (BigInt(lines) * BigInt(whole + fraction)) / 10n ** BigInt(Math.max(0, scale));
  return lines - Number(dropped);
}

describe("prune_text, for any text", () => {
  it("K-02 K-03 K-08 K-24 K-26 X-38 X-48 ratio, order, markers, partition, recovery", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ text: original, goal_hint, source_type, ...options }) => {
        const answer = await call("prune_text", {
          text: original,
          goal_hint,
          source_type,
          options: { ...OPTIONS, ...options },
        });
        const lines = toLines(original);
        const { annotations, stats, warnings, pruned_text, prune_id } = answer;
        const isImpossible = options.min_keep_lines > lines.length && lines.length > 0;
        expect(warnings).toEqual(isImpossible ? ["constraints_unmet"] : []);
        expect(stats.used_fallback).toBe(isImpossible);
        expect(stats.original_lines).toBe(lines.length);
        expect(stats.kept_lines + stats.pruned_lines).toBe(lines.length);

        expect(stats.kept_lines).toBeGreaterThanOrEqual(mustStay(lines.length, options.max_prune_ratio));
        expect(stats.kept_lines).toBeGreaterThanOrEqual(Math.min(lines.length, options.min_keep_lines));
        expect(stats.pruned_ratio).toBeLessThanOrEqual(options.max_prune_ratio);

        // Kept lines and annotations are the original, once each, in order. Compared as one text: a last line that is
        // kept and blank cannot be told from the end of the line before it.
        const shown: string[] = [];
        const isNumbered = options.annotate_lines && !isImpossible;
        let next = 1;
        const keepUntil = (end: number) => {
          for (; next < end; next++) shown.push(isNumbered ? `${next}│ ${lines[next - 1]}` : String(lines[next - 1]));
        };
        for (const each of annotations) {
          expect(each.original_start_line).toBeGreaterThanOrEqual(next);
          expect(each.original_end_line - each.original_start_line + 1).toBe(each.pruned_line_count);
          keepUntil(each.original_start_line);
          if (options.include_markers) shown.push(each.marker);
          expect(MARKER.exec(each.marker)?.groups).toMatchObject({ prune_id, reason: each.reason });
          next = each.original_end_line + 1;
        }
        keepUntil(lines.length + 1);
        const end = shown.length > 0 && original.endsWith("\n") ? "\n" : "";
        expect(pruned_text).toBe(shown.join("\n") + end);

        const ranges = annotations.map((each: Wire) => ({
          start_line: each.original_start_line,
          end_line: each.original_end_line,
        }));
        if (ranges.length > 0) {
          const recovered = await call("recover_text", { prune_id, ranges, include_line_numbers: false });
          const gone = ranges.map((range: Wire) => lines.slice(range.start_line - 1, range.end_line).join("\n"));
          expect(recovered.raw_text).toBe(gone.join("\n"));
          expect(recovered.metadata.ranges).toEqual(ranges);
        }
      }),
      { numRuns: 1_200 },
    );
  });
});
