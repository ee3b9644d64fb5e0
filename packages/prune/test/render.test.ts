import { describe, expect, it } from "vitest";
import type { Block, Pruned } from "../src/pruned.ts";
import { renderPruned, shortMarker } from "../src/render.ts";

const block = (startLine: number, endLine: number, like?: number): Block => ({
  startLine,
  endLine,
  lineCount: endLine - startLine + 1,
  label: like === undefined ? { what: "lines", name: "" } : { what: "repeats", name: "", like },
});
const pruned = (lineCount: number, blocks: Block[]): Pruned => ({
  status: "pruned",
  kind: "code",
  lineCount,
  kept: new Uint8Array(lineCount),
  blocks,
  match: "clear",
});

describe("render", () => {
  it("X-20 a block is one short line, numbered as in the original", () => {
    expect(shortMarker(block(120, 154))).toBe("⟦… 35 lines 120-154⟧");
    expect(shortMarker(block(7, 7))).toBe("⟦… 1 lines 7-7⟧");
    expect(shortMarker(block(13, 310, 12))).toBe("⟦… 298 lines 13-310 like line 12⟧");
  });

  it("X-48 kept lines keep their bytes and the text ends as it did", () => {
    expect(renderPruned("a\r\nb\nc\n", pruned(3, [block(2, 2)]), { marker: () => "-" })).toBe("a\r\n-\nc\n");
    expect(renderPruned("a\nb\nc", pruned(3, [block(2, 3)]), { marker: () => "-" })).toBe("a\n-");
    expect(renderPruned("a\nb", pruned(2, [block(1, 2)]), { marker: () => undefined })).toBe("");
  });

  it("K-21 K-25 numbers stand before kept lines and never before markers", () => {
    expect(renderPruned("a\nb\nc\n", pruned(3, [block(2, 2)]), { marker: shortMarker, lineNumbers: true })).toBe(
      "1│ a\n⟦… 1 lines 2-2⟧\n3│ c\n",
    );
  });
});
