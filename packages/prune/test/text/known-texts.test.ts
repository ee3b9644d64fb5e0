import { describe, expect, it } from "vitest";
import { knownBytes, knownLines, remember } from "../../src/text/known-texts.ts";
import { splitLines } from "../../src/text/lines.ts";

const MIB = 1024 * 1024;
/** A text of so many characters that no other test has. */
const textOf = (name: string, chars: number): string => `${name}\n`.repeat(Math.ceil(chars / (name.length + 1)));
const nothing = () => 0;

describe("known texts", () => {
  it("the same text has the same lines for every caller, and what was made of it is made once", () => {
    const text = textOf("same", 4000);
    const about = {};
    let made = 0;
    const make = () => ++made;
    const first = knownLines(text);
    expect(remember(first, about, make, nothing)).toBe(1);
    const copy = Buffer.from(text).toString();
    expect(knownLines(splitLines(copy))).toBe(first);
    expect(remember(knownLines(copy), about, make, nothing)).toBe(1);
    expect(remember(first, {}, make, nothing)).toBe(2);
    expect(remember(knownLines(`${text}x`), about, make, nothing)).toBe(3);
  });

  it("a known answer polls as often as it did when it was made, so that a text ends at the same place", () => {
    const table = knownLines(textOf("polled", 4000));
    const about = {};
    let polls = 0;
    const poll = () => {
      polls++;
    };
    const make = (own: () => void) => {
      for (let i = 0; i < 7; i++) own();
      return "made";
    };
    remember(table, about, make, nothing, poll);
    expect(polls).toBe(7);
    expect(remember(table, about, make, nothing, poll)).toBe("made");
    expect(polls).toBe(14);
  });

  it("what a poll ends is not remembered", () => {
    const table = knownLines(textOf("ended", 4000));
    const about = {};
    const end = () => {
      throw new Error("stopped");
    };
    const make = (own: () => void) => {
      own();
      return "made";
    };
    expect(() => remember(table, about, make, nothing, end)).toThrow("stopped");
    expect(remember(table, about, () => "later", nothing)).toBe("later");
  });

  it("is bounded by bytes: the text that was asked about longest ago goes first", () => {
    const texts = Array.from({ length: 20 }, (_, i) => textOf(`text ${i} of many`, MIB / 4));
    const tables = texts.map((text) => knownLines(text));
    expect(knownBytes()).toBeLessThanOrEqual(8 * MIB);
    const [first = "", last = ""] = [texts[0], texts.at(-1)];
    expect(knownLines(last) === tables.at(-1)).toBe(true);
    expect(knownLines(first) === tables[0]).toBe(false);
  });

  it("what is large in itself is not kept, nor is a text that grew large by what was made of it", () => {
    const long = textOf("long", 3 * MIB);
    const asIs = knownLines(long);
    expect(knownLines(long) === asIs).toBe(false);
    const text = textOf("grown", 4000);
    const table = knownLines(text);
    const before = knownBytes();
    remember(
      table,
      {},
      () => "large",
      () => 5 * MIB,
    );
    expect(knownBytes()).toBeLessThan(before);
    expect(knownLines(text) === table).toBe(false);
  });
});
