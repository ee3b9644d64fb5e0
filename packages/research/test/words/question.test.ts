// What a question is taken to ask.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../src/words/question.ts";

describe("question", () => {
  it.each([
    ["where is `frob` used", ["frob"]],
    ["what does send_invoice do", ["send_invoice"]],
    ["how does maxRetries work", ["maxRetries"]],
    ["what is AccountBook for", ["AccountBook"]],
    ["who calls close()", ["close"]],
    ["how does _private behave", ["_private"]],
    ["How are the accounts of an owner closed?", []],
    ["Why doesn't it's work", []],
  ])("C-33 %s names %j", (text, names) => {
    expect(parseQuestion(text).identifiers).toEqual(names);
  });

  it("words of every question weigh little, identifiers most", () => {
    const weights = new Map(
      parseQuestion("What is the purpose of `sendInvoice` in invoices?").terms.map((t) => [t.term, t.weight]),
    );
    expect(weights.get("sendinvoice")).toBe(2);
    expect(weights.get("purpos")).toBe(0.3);
    expect(weights.has("the")).toBe(false);
  });

  it.each(["где отправляется счёт", "請求書はどこで送信されますか", "¿Dónde se envía la factura?", "\ud800", "🙂🙂"])(
    "a question in any script is parsed: %s",
    (text) => {
      expect(parseQuestion(text).identifiers).toEqual([]);
    },
  );

  it("any text at all is bounded in terms and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), (text) => {
        expect(parseQuestion(text).terms.length).toBeLessThanOrEqual(160);
      }),
      { numRuns: 60 },
    );
  });
});
