// no secret of the corpus is left, and nothing harmless is hidden.
import { beforeAll, describe, expect, it } from "vitest";
import { createRedactor, createReferenceRedactor, REDACTED } from "../../src/redact.ts";
import { HARMLESS } from "./corpus-harmless.ts";
import { SECRETS } from "./corpus-secrets.ts";

let redact: (text: string) => string;
let redactReference: (text: string) => string;
beforeAll(async () => {
  [redact, redactReference] = await Promise.all([createRedactor(), createReferenceRedactor()]);
});

describe("X-71 the corpus", () => {
  it("has at least 150 secrets and 80 harmless strings", () => {
    expect(new Set(SECRETS.map(({ text }) => text)).size).toBeGreaterThanOrEqual(150);
    expect(new Set(HARMLESS).size).toBeGreaterThanOrEqual(80);
  });

  it.each(SECRETS)("$name goes", ({ secret, text }) => {
    const left = redact(text);
    expect(left).toContain(REDACTED);
    // Not even a part of it that would help.
    for (let at = 0; at + 8 <= secret.length; at += 4) expect(left).not.toContain(secret.slice(at, at + 8));
    expect(left.split("\n")).toHaveLength(text.split("\n").length);
  });

  it.each(HARMLESS.map((text) => ({ text })))("$text stays", ({ text }) => {
    expect(redact(text)).toBe(text);
  });

  it("all of it in one text is the same as line by line", () => {
    const lines = SECRETS.map(({ text }) => text).filter((text) => !text.includes("\n"));
    const left = redact([...lines, ...HARMLESS].join("\n"));
    for (const text of HARMLESS) expect(left).toContain(text);
  });

  it("a reference keeps its name, unless that is a secret by its form", () => {
    for (const text of HARMLESS.filter((line) => /:\d+$/.test(line))) expect(redactReference(text)).toBe(text);
    expect(redactReference("src/token=abc123def456ghi789/password.ts:3")).toBe(
      "src/token=abc123def456ghi789/password.ts:3",
    );
    const [stripe] = SECRETS;
    expect(redactReference(`logs/${stripe?.secret}.txt:3`)).toBe(`logs/${REDACTED}.txt:3`);
  });
});
