import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderPruned, shortMarker } from "@jeeves/prune";
import { describe, expect, it, onTestFinished } from "vitest";
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
  it.each(MARKERS)("refuses an edit that writes %s, and says how to get the real lines", async (marker) => {
    const text = `const a = 1;\n${marker}\n`;
    for (const asked of [
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
      ask("Bash", { command: `apply_patch <<'EOF'\n*** Begin Patch\n+${marker}\n*** End Patch\nEOF` }),
      ask("apply_patch", { command: `*** Begin Patch\n+${marker}\n*** End Patch` }),
    ]) {
      const refusal = await asked;
      expect(refusal).toContain(marker);
      expect(refusal).toMatch(/Read lines \d+/);
    }
  });

  it("lets an edit through whose file holds the marker already, and every edit without one", async () => {
    const [marker = ""] = MARKERS;
    expect(await ask("Edit", { file_path: "a", old_string: `x ${marker}`, new_string: `y ${marker}` })).toBeUndefined();
    expect(await ask("Edit", { file_path: "a", old_string: "x", new_string: "⟦x⟧ … lines 1-2" })).toBeUndefined();
    expect(await ask("Bash", { command: `echo '${marker}'` })).toBeUndefined();
  });

  it("knows the markers that the engine renders", async () => {
    const pruned = {
      status: "pruned",
      kind: "code",
      lineCount: 3,
      kept: Uint8Array.from([1, 0, 1]),
      match: "clear",
      blocks: [{ startLine: 2, endLine: 2, lineCount: 1, label }],
    } as const;
    const rendered = renderPruned("a\nb\nc\n", pruned, { marker: shortMarker });
    expect(await ask("Write", { file_path: "a", content: rendered })).toBeDefined();
  });

  const ID = "prn_abcdefghij23";
  const PASSED = [
    `[rest: recover_text ${ID}]`,
    `[weak match; rest: read by lines or recover_text ${ID}]`,
    `[rest: Read ~/.local/state/jeeves/store/${ID}.txt by lines]`,
    `⟦PRUNÉ: prune_id=${ID} lignes 12-40 (29) raison=hors focus: fonction paint⟧`,
    "(filtered 12 lines)",
    "  (filtered 1 lines)",
  ];

  it.each(PASSED)("let %s pass into files", async (marker) => {
    const text = `const a = 1;\n${marker}\nconst b = 2;\n`;
    for (const refusal of [
      await ask("Edit", { file_path: "/none/a", old_string: "const a = 1;", new_string: text }),
      await ask("Write", { file_path: "/none/a", content: text }),
      await ask("apply_patch", { command: `*** Begin Patch\n*** Add File: /none/a\n+${marker}\n*** End Patch` }),
    ]) {
      expect(refusal).toContain(marker.trim());
      expect(refusal).toMatch(/Read (?:lines 12-40|what was left out) first/);
    }
  });

  it.each([...MARKERS, ...PASSED])(
    "refused to write a file anew that holds %s, as documents about Jeeves do",
    async (marker) => {
      const dir = mkdtempSync(join(tmpdir(), "jeeves-marker-"));
      onTestFinished(() => rmSync(dir, { recursive: true }));
      const file = join(dir, "README.md");
      writeFileSync(file, `# Markers\n\n${marker}\n`);
      const content = `# Markers, again\n\n${marker}\n`;
      expect(await ask("Write", { file_path: file, content })).toBeUndefined();
      expect(await ask("Edit", { file_path: file, old_string: "# Markers", new_string: marker })).toBeUndefined();
      expect(await ask("apply_patch", { command: `*** Update File: ${file}\n@@\n+${marker}\n` })).toBeUndefined();
      expect(await ask("Write", { file_path: `${file}.new`, content })).toContain(marker.trim());
    },
  );

  it("leaves words alone that only speak of markers", async () => {
    const prose =
      "It prints `(filtered 12 lines)` or (filtered N lines), and [rest: …] behind it; [rest: the others].\n";
    expect(await ask("Write", { file_path: "/none/a", content: prose })).toBeUndefined();
  });
});
