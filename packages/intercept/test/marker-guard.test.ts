import { renderPruned, shortMarker } from "@jeeves/prune";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../src/hook/marker-guard.ts";
import { parseToolEvent } from "../src/hook/tool-event.ts";

function ask(tool: string, input: Readonly<Record<string, unknown>>) {
  const event = parseToolEvent({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: input });
  if (event === undefined) throw new Error("no event");
  return refusalOf(event);
}

const label = { what: "lines", name: "" } as const;
const MARKERS = [
  shortMarker({ startLine: 120, endLine: 154, lineCount: 35, label }),
  shortMarker({ startLine: 7, endLine: 7, lineCount: 1, label }),
  shortMarker({ startLine: 3, endLine: 9, lineCount: 7, label: { what: "repeats", name: "", like: 2 } }),
];

describe("the marker guard", () => {
  it.each(MARKERS)("refuses an edit that writes %s, and says how to get the real lines", (marker) => {
    const text = `const a = 1;\n${marker}\n`;
    for (const refusal of [
      ask("Edit", { file_path: "a", old_string: "const a = 1;", new_string: text }),
      ask("Write", { file_path: "a", content: text }),
      ask("MultiEdit", {
        file_path: "a",
        edits: [
          { old_string: "x", new_string: "y" },
          { old_string: "x", new_string: text },
        ],
      }),
      ask("NotebookEdit", { notebook_path: "a", new_source: text }),
      ask("apply_patch", { command: `*** Begin Patch\n+${marker}\n*** End Patch` }),
    ]) {
      expect(refusal).toContain(marker);
      expect(refusal).toMatch(/Read lines \d+/);
    }
  });

  it("lets an edit through whose file holds the marker already, and every edit without one", () => {
    const [marker = ""] = MARKERS;
    expect(ask("Edit", { file_path: "a", old_string: `x ${marker}`, new_string: `y ${marker}` })).toBeUndefined();
    expect(ask("Edit", { file_path: "a", old_string: "x", new_string: "⟦x⟧ … lines 1-2" })).toBeUndefined();
    expect(ask("Bash", { command: `echo '${marker}'` })).toBeUndefined();
  });

  it("knows the markers that the engine renders", () => {
    const pruned = {
      status: "pruned",
      kind: "code",
      lineCount: 3,
      kept: Uint8Array.from([1, 0, 1]),
      match: "clear",
      blocks: [{ startLine: 2, endLine: 2, lineCount: 1, label }],
    } as const;
    const rendered = renderPruned("a\nb\nc\n", pruned, { marker: shortMarker });
    expect(ask("Write", { file_path: "a", content: rendered })).toBeDefined();
  });
});
