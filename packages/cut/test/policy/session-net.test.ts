import { expect, it } from "vitest";
import type { MeterEntry, MeterKind } from "../../src/meter/meter.ts";
import { hasLost, sessionNetOf } from "../../src/policy/session-net.ts";

const entry = (kind: MeterKind, more: Partial<MeterEntry> = {}): MeterEntry => ({
  ...{ ts: "", kind, session: "s", client: "", tool: "", project: "" },
  ...{ raw_tokens: 3_000, kept_tokens: 1_000, shown_tokens: 2_000, ...more },
});
const cut = entry("cut");
const recovered = entry("recovered", { raw_tokens: 500, context_tokens: 100_000 });

it("X-56 a session is worth what its cuts saved of what the client would have shown, less its recoveries", () => {
  expect(sessionNetOf([cut])).toEqual({ cuts: 1, net: 8_000 });
  // 0.115 of the context, the question, and what came back.
  expect(sessionNetOf([cut, recovered]).net).toBeCloseTo(8_000 - 11_500 - 600 - 620 * 7.2, 6);
  expect(sessionNetOf([entry("shadow"), entry("missed"), entry("surface")])).toEqual({ cuts: 0, net: 0 });
});

it("X-56 a session whose cuts lost money is stopped, but not before four of them", () => {
  expect(hasLost([cut, recovered, cut, recovered, cut, recovered])).toBe(false);
  expect(hasLost([cut, recovered, cut, recovered, cut, recovered, cut])).toBe(true);
  expect(hasLost([cut, cut, cut, cut, cut, recovered])).toBe(false);
});

it("X-56 the same call asked again costs as much as a recovery, and what a person recovers by hand costs nothing", () => {
  const again = entry("repeated", { context_tokens: 200_000 });
  expect(hasLost([cut, cut, cut, cut, again])).toBe(true);
  const byHand = entry("recovered", { by: "person", context_tokens: 200_000 });
  expect(hasLost([cut, cut, cut, cut, byHand, byHand, byHand])).toBe(false);
});
