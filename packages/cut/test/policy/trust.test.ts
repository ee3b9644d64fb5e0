import fc from "fast-check";
import { expect, it } from "vitest";
import type { MeterEntry, MeterKind } from "../../src/meter/meter.ts";
import { trustOf } from "../../src/policy/trust.ts";

const entry = (kind: MeterKind): MeterEntry => ({
  ts: "",
  kind,
  session: "s",
  client: "",
  tool: "",
  project: "",
  raw_tokens: 1,
  kept_tokens: 1,
});
const trust = (...kinds: readonly MeterKind[]) => trustOf(kinds.map(entry));

it("X-52 two recoveries in six cuts are careful, two more are the end", () => {
  expect(trust()).toBe("full");
  expect(trust("cut", "recovered")).toBe("full");
  expect(trust("cut", "cut", "recovered", "recovered")).toBe("careful");
  expect(trust("cut", "cut", "recovered", "recovered", "cut", "recovered")).toBe("careful");
  expect(trust("cut", "cut", "recovered", "recovered", "cut", "recovered", "cut", "recovered")).toBe("none");
});

it("X-52 recoveries that are six cuts apart change nothing", () => {
  const calm: MeterKind[] = ["cut", "recovered", "cut", "cut", "cut", "cut", "cut", "cut", "recovered"];
  expect(trust(...calm, ...calm)).not.toBe("none");
  expect(trust(...calm)).toBe("full");
});

it("X-52 trust never comes back within a session", () => {
  const kinds = fc.array(fc.constantFrom<MeterKind>("cut", "recovered", "shadow", "missed", "repeated"));
  const order = ["full", "careful", "none"];
  fc.assert(
    fc.property(kinds, kinds, (first, more) => {
      expect(order.indexOf(trust(...first, ...more))).toBeGreaterThanOrEqual(order.indexOf(trust(...first)));
    }),
  );
});

it("X-52 what a person recovers by hand takes no trust from a session", () => {
  const byHand = { ...entry("recovered"), by: "person" } as const;
  expect(trustOf([entry("cut"), entry("cut"), byHand, byHand, byHand, byHand])).toBe("full");
});
