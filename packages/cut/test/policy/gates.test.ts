import { estimateTokens } from "@jeeves/prune";
import { describe, expect, it } from "vitest";
import { isDiff, isTooSmall } from "../../src/policy/gates.ts";

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

describe("isDiff", () => {
  const hunk = "--- a/config.txt\n+++ b/config.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

  it("knows diffs with and without git's headers, and commits with their diffs", () => {
    expect(isDiff(`diff --git a/a b/a\n${hunk}`)).toBe(true);
    expect(isDiff(hunk.repeat(40))).toBe(true);
    const commit = `commit 1f2e3d4c\nAuthor: Ada <ada@example.com>\nDate:   today\n\n    config: two is 2\n\n${hunk}`;
    expect(isDiff(commit.repeat(10))).toBe(true);
  });

  it("X-59 a test run that quotes a diff is none, so its failure is not left to the client's own cut", () => {
    const passed = Array.from({ length: 400 }, (_, i) => `tests/test_a.py::test_${i} PASSED`).join("\n");
    expect(isDiff(`${passed}\nE       AssertionError: the golden file differs\n${hunk}\n1 failed, 400 passed\n`)).toBe(
      false,
    );
  });
});
