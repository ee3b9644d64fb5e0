// One bounded text with everything: what must be in it is in it, what was cut says how to get it, and it is never more
// than was asked for.
import { estimateTokens } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutEnd, fitText, shareTokens } from "../../src/context/fit-text.ts";
import { projectForTest, taskPath, taskText } from "../haven-under-test.ts";

describe("context load", () => {
  it("X-25 a task id needs no role and brings task, epic, blockers, memory, tips of others and targets", async () => {
    const test = await projectForTest(3);
    test.write(taskPath(1), taskText(1, { blocked_by: "[T002]", target_versions: "{ core: 2.10 }", tags: "[api]" }));
    test.write("../project/package.json", '{"name":"core","version":"2.9.0"}');
    await test.run(["memory", "add", "E001", "Dates are UTC everywhere"]);
    await test.run(["memory", "add", "project", "We use npm"]);
    await test.run(["task", "log", "T002", "The API wants a key", "--tip", "-f", "src/api.js"]);
    await test.run(["task", "log", "T003", "just started", "--info"]);
    await test.run(["task", "log", "T001", "my own note"]);
    const { text } = await test.run(["context:load", "T1"]);
    for (const part of [
      "# T001: Task 1",
      "T002 [Not Started] Task 2",
      "core 2.9.0 → 2.10",
      "Do number 1.",
      "Pay for a basket.",
      "Dates are UTC everywhere",
      "We use npm",
      "TIP T002: The API wants a key (src/api.js)",
      "my own note",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("just started");
  });

  it("X-25 an operation name keeps its meaning, and an unknown one is told which there are", async () => {
    const test = await projectForTest(1);
    expect((await test.run(["context", "load", "task-start"])).text).toContain("rudder assign claim");
    const refused = await test.run(["context", "load", "make-coffee"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.text).toContain("task-start");
    expect((await test.run(["context", "load", "plan"])).exitCode).toBe(1);
    expect((await test.run(["context", "load", "plan", "--role", "coordinator"])).exitCode).toBe(0);
  });

  it("X-25 it stays within its budget, keeps what the task is about, and says how to get the rest", async () => {
    const test = await projectForTest(1);
    const filler = Array.from({ length: 400 }, (_, n) => `- Point ${n} about invoices, parcels and other things.`);
    filler.splice(200, 0, "- The header parser must reject NUL bytes.");
    test.write(
      "artefacts/prds/PRD-001-shop/epics/E001-checkout.md",
      `---\nid: E001\ntitle: Checkout\nstatus: In Progress\n---\n\n## Description\n\n${filler.join("\n")}\n`,
    );
    test.write(taskPath(1), taskText(1, { title: "Reject NUL bytes in the header parser" }));
    for (const budget of [400, 1_000, 3_000]) {
      const context = await test.json(["context", "load", "T001", "--budget", String(budget)]);
      expect(context.tokens).toBeLessThanOrEqual(budget);
      expect(estimateTokens(context.text)).toBeLessThanOrEqual(budget);
      expect(context).toMatchObject({ cut: true });
      expect(context.text).toContain("header parser must reject NUL bytes");
      expect(context.text).toContain("[rest: rudder artifact show E001]");
    }
  });

  it("R-16 a claim brings the whole context along", async () => {
    const test = await projectForTest(2);
    const claimed = await test.json(["assign", "claim", "T001"], { agent: "ada" });
    expect(claimed).toMatchObject({ task_id: "T001", event: "claimed", holder: "ada", status: "In Progress" });
    expect(claimed.context).toContain("Do number 1.");
  });
});

describe("fitting", () => {
  it("X-25 a text is never longer than its share, whatever it holds", async () => {
    const lines = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("word ".repeat(40))), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 30, max: 400 }), async (all, tokens) => {
        const text = all.join("\n");
        const fitted = await fitText(text, { tokens, focus: "word", rest: "rudder show" });
        expect(estimateTokens(fitted)).toBeLessThanOrEqual(tokens);
        if (fitted !== text) expect(fitted).toContain("[rest: rudder show]");
        expect(estimateTokens(cutEnd(text, { tokens, notice: "[rest]" }))).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 100 },
    );
  });

  it("X-25 shares never exceed the budget, and a small part is not cut for a large one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { maxLength: 8 }), fc.nat(8_000), (sizes, budget) => {
        const shares = shareTokens(sizes, budget);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
        shares.forEach((share, index) => {
          expect(share).toBeLessThanOrEqual(sizes[index] ?? 0);
        });
        const fair = sizes.length === 0 ? 0 : Math.floor(budget / sizes.length);
        shares.forEach((share, index) => {
          expect(share).toBeGreaterThanOrEqual(Math.min(sizes[index] ?? 0, fair));
        });
      }),
    );
  });
});
