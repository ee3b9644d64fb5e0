// What real tools printed, with failures planted in head, middle and tail (bench/logs makes these files): nothing that a
// reader must find may go, however little is kept.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker } from "../../src/index.ts";

interface Output {
  readonly name: string;
  readonly tool: string;
  readonly must: readonly string[];
  readonly text: string;
}

const LONG_LINES = 200;
const MAX_SHARE = 0.15;
/** So little that nothing stays just because there is room for it. */
const SHARE = { mode: "share", keep: 0.05 } as const;

const read = (set: string): Output[] =>
  gunzipSync(readFileSync(new URL(`../../../../bench/logs/outputs-${set}.jsonl.gz`, import.meta.url)))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Output);

describe.each(["seen", "aside"])("outputs of real tools, %s", (set) => {
  const outputs = read(set);
  const tools = [...new Set(outputs.map(({ tool }) => tool))];

  it.each(tools)(
    "X-06 X-59 K-29 %s: every planted failure and its reason stay, in at most 15 per cent of a long output",
    async (tool) => {
      for (const { name, must, text } of outputs.filter((output) => output.tool === tool)) {
        const pruned = await prune(text, { focus: "", kind: "logs" });
        const shown = renderPruned(text, pruned, { marker: shortMarker });
        for (const words of must) expect(shown, name).toContain(words);
        if (text.split("\n").length > LONG_LINES)
          expect(shown.length / text.length, name).toBeLessThanOrEqual(MAX_SHARE);
        for (const path of ["out.md", "out.json", "out.py"]) {
          const named = await prune(text, { focus: "how is the configuration loaded?", path, amount: SHARE });
          const said = renderPruned(text, named, { marker: shortMarker });
          for (const words of must) expect(said, `X-59 ${name} as ${path}`).toContain(words);
        }
      }
    },
  );
});
