// What a place calls: what its own code does, and nothing that stands beside it or is only written about.
import { describe, expect, it } from "vitest";
import { askAbout } from "../asking.ts";
import { writeFiles } from "../made-project.ts";

async function callsOf(question: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const { analyzer } = await askAbout(
    question,
    (dir) => writeFiles(dir, files),
    (researcher, asked) => researcher.analyze(asked),
  );
  if (analyzer.status !== "ok") throw new Error(analyzer.status);
  return analyzer.value.key_findings.flatMap((note) => /^calls \S+ (\w+):/.exec(note)?.[1] ?? []);
}

describe("what a place calls", () => {
  it("C-24 ends with its scope: what the next function calls is not its own", async () => {
    const calls = await callsOf("How does signSessionCookie sign?", {
      "src/session.ts":
        "export function signSessionCookie(value: string): string {\n  return hmacOf(value);\n}\n\n" +
        "export function resetEverything(): void {\n  dropAllTables();\n}\n",
      "src/hmac.ts": "export function hmacOf(value: string): string {\n  return value;\n}\n",
      "src/tables.ts": "export function dropAllTables(): void {\n  return;\n}\n",
    });
    expect(calls).toEqual(["hmacOf"]);
  });

  it("C-24 is not what its comments, doc strings and texts name", async () => {
    const calls = await callsOf("How does preview_invoice preview?", {
      "src/preview.py":
        "# preview_invoice is no refund_card() either\n" +
        "def preview_invoice(order):\n" +
        '    """Unlike charge_card(), this never talks to the network.\n\n    See refund_card() too.\n    """\n' +
        '    log("charge_card() was not called")  # refund_card() neither\n' +
        "    return f\"{sum_lines(order)}: 'refund_card()'\"\n",
      "src/card.py":
        "def charge_card(order):\n    return order\n\n\ndef refund_card(order):\n    return order\n\n\n" +
        "def sum_lines(order):\n    return order\n",
    });
    expect(calls).toEqual(["sum_lines"]);
  });

  it("C-24 is nothing where the place is a section of a document", async () => {
    const calls = await callsOf("What does the section on previewing say?", {
      "docs/guide.md": "# Guide\n\n## Previewing\n\nPreviewing never calls chargeCard() at all.\n",
      "src/card.ts": "export function chargeCard(): void {\n  return;\n}\n",
    });
    expect(calls).toEqual([]);
  });
});
