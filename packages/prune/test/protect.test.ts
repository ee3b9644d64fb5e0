// What stays whatever the amount: on top of what was chosen, never instead of it.
import { expect, it } from "vitest";
import { prune } from "../src/index.ts";

it("K-28 the frame comes on top of the lines chosen by relevance, not instead of them", async () => {
  const functions = Array.from({ length: 60 }, (_, index) =>
    index === 40
      ? "def wait_before_retry(attempt):\n    exponential_backoff = 2 ** attempt\n    return exponential_backoff\n"
      : `def load_${index}(path):\n    record = open(path).read()\n    return record\n`,
  );
  const text = `import os\nimport sys\n\n${functions.join("\n")}`;
  const lines = text.split("\n").length - 1;
  const pruned = await prune(text, {
    focus: "how long is the exponential backoff before a retry?",
    kind: "code",
    path: "a.py",
    amount: { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 },
    protectFrame: true,
  });
  const kept = text.split("\n").filter((_, index) => (pruned.kept[index] ?? 0) !== 0);
  expect(kept.filter((line) => /^(?:import|def) /.test(line))).toHaveLength(62);
  expect(kept).toContain("    exponential_backoff = 2 ** attempt");
  expect(kept.length).toBeLessThanOrEqual(62 + Math.ceil(lines * 0.05) + 1);
});

it("X-38 a ratio over logs keeps trouble and what was asked for, and drops as much else as it allows", async () => {
  const calm = (from: number) =>
    Array.from({ length: 50 }, (_, index) => `INFO step ${from + index} is done, all is well`);
  const text = `${[...calm(0), "ERROR the disk is full", ...calm(50)].join("\n")}\n`;
  const pruned = await prune(text, {
    focus: "disk",
    kind: "logs",
    amount: { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 },
  });
  const kept = pruned.kept.filter((why) => why !== 0).length;
  expect(pruned.kept[50]).not.toBe(0);
  expect(kept).toBeGreaterThanOrEqual(6);
  expect(kept).toBeLessThanOrEqual(8);
});
