// X-59 over HTTP: a failed test stays whatever `source_type` says and whatever the ratio is.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pruneArgs, type Service, startService } from "./service-under-test.ts";

const FAILED = "FAILED tests/test_orders.py::test_total - assert 3 == 4: boom";
const lines = Array.from({ length: 600 }, (_, i) => `step ${i}: copied the parts of order ${i * 7} to the archive`);
const text = [...lines.slice(0, 350), FAILED, ...lines.slice(350)].join("\n");

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe("X-59 failures are found by content", () => {
  it.each(["code", "docs", "logs"])(
    "X-38 prune_text with source_type %s keeps them at any ratio",
    async (source_type) => {
      for (const max_prune_ratio of [0.5, 0.95, 1]) {
        const args = pruneArgs(text, "how is the configuration loaded?", { source_type, max_prune_ratio });
        const answer = await service.tool("prune_text", args);
        expect(answer.pruned_text).toContain(FAILED);
        expect(answer.stats.pruned_lines).toBeGreaterThan(200);
      }
    },
  );

  it.each([undefined, 0.95])("/prune keeps them, max_prune_ratio %s", async (max_prune_ratio) => {
    const { json } = await service.prune({ query: "how is the configuration loaded?", code: text, max_prune_ratio });
    expect(json.pruned_code).toContain(FAILED);
    expect(json.kept_frags.length).toBeLessThan(200);
  });
});
