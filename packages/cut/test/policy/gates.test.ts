import { estimateTokens } from "@jeeves/prune";
import { describe, expect, it } from "vitest";
import { isTooSmall } from "../../src/policy/gates.ts";

describe("isTooSmall (X-23)", () => {
  const words = (count: number) => "word ".repeat(count).trim();

  it("asks for 1,500 tokens, however many characters they are", () => {
    const just = Array.from({ length: 1_600 }, (_, i) => words(i + 1)).find((text) => estimateTokens(text) >= 1_500);
    expect(isTooSmall(just ?? "")).toBe(false);
    expect(isTooSmall((just ?? "").slice(0, -" word".length))).toBe(true);
    expect(isTooSmall(`${" ".repeat(100_000)}\n`)).toBe(true);
    expect(isTooSmall("x".repeat(1_499))).toBe(true);
  });

  it("does not take a sparse beginning for all of a text, nor a dense one for more than it is", () => {
    expect(isTooSmall(`${" ".repeat(50_000)}${words(2_000)}`)).toBe(false);
    expect(isTooSmall(`${words(1_400)}${" ".repeat(50_000)}`)).toBe(true);
  });

  it("obeys another limit", () => {
    expect(isTooSmall(words(300), 200)).toBe(false);
    expect(isTooSmall(words(300), 400)).toBe(true);
  });
});
