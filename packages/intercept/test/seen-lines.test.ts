import { splitLines } from "@jeeves/cut";
import { describe, expect, it } from "vitest";
import { createSeenLines, seenShare } from "../src/hook/seen-lines.ts";

const CALLS = new Set(["c1", "c2", "c3"]);
const file = (text: string, firstLine = 1) => ({ path: "a", table: splitLines(text), firstLine });
const text = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("");

/** The lines that are seen, as 0 and 1, after the texts were shown in turn. */
function seenAfter(shown: readonly string[], now: string, calls: ReadonlySet<string> = CALLS): string {
  const memory = createSeenLines();
  for (const [index, one] of shown.entries()) memory.remember(file(one), `c${index + 1}`);
  return [...memory.seenOf(file(now), calls)].join("");
}

describe("X-56 a line is seen only if the session has it under this number in these words", () => {
  it("as it was shown, and by a read of some lines too", () => {
    const memory = createSeenLines();
    expect(memory.has("a")).toBe(false);
    memory.remember(file(text(3, 8), 3), "c1");
    expect(memory.has("a")).toBe(true);
    expect([...memory.seenOf(file(text(1, 10)), CALLS)].join("")).toBe("0011111100");
    expect([...memory.seenOf(file(text(5, 7), 5), CALLS)].join("")).toBe("111");
    expect([...memory.seenOf({ ...file(text(1, 10)), path: "b" }, CALLS)].join("")).toBe("0000000000");
  });

  it("not behind a deleted line, where every number is another one now", () => {
    expect(seenAfter([text(1, 6)], text(1, 6).replace("line 3\n", ""))).toBe("11000");
  });

  it("not where blocks changed places or were copied", () => {
    expect(seenAfter([text(1, 6)], text(4, 6) + text(1, 3))).toBe("000000");
    expect(seenAfter([text(1, 4)], text(1, 2) + text(1, 4))).toBe("110000");
  });

  it("not where a newer version was shown since, even if the older one is back", () => {
    const changed = text(1, 5).replace("line 3", "changed");
    expect(seenAfter([text(1, 5), changed], text(1, 5))).toBe("11011");
    expect(seenAfter([text(1, 5), changed, text(1, 5)], text(1, 5))).toBe("11111");
  });

  it("not if the call that showed it is no longer in the context", () => {
    expect(seenAfter([text(1, 5)], text(1, 5), new Set(["c9"]))).toBe("00000");
  });

  it("only the lines of a cut that were shown", () => {
    const memory = createSeenLines();
    memory.remember(file(text(1, 8)), "c1", (line) => line < 2 || line > 5);
    expect([...memory.seenOf(file(text(1, 8)), CALLS)].join("")).toBe("11000011");
  });
});

it("the share of a text that was seen is by characters, and line ends do not matter", () => {
  const memory = createSeenLines();
  memory.remember(file(text(1, 8)), "c1");
  const other = splitLines(text(1, 8).replaceAll("\n", "\r\n"));
  expect(seenShare(other, memory.seenOf({ ...file(""), table: other }, CALLS))).toBe(1);
  expect(seenShare(splitLines(""), new Uint8Array(0))).toBe(0);
});
