// No marker of ours may end up in a file: an edit that writes one is refused, with the way to the real lines. A file that
// holds such text already can still be edited: its marker is in the old text too.
import { isRecord } from "@jeeves/base";
import { type ToolEvent, textOf } from "./tool-event.ts";

const MARKER = /⟦… ×?\d+ lines? \d+(?:-\d+)?(?: like line \d+| shown before)?⟧/g;

interface Change {
  readonly before: string;
  readonly after: string;
}

/** The reason to refuse, in words for the model; undefined where there is none. */
export function refusalOf(event: ToolEvent): string | undefined {
  for (const { before, after } of changesOf(event)) {
    const marker = [...after.matchAll(MARKER)].map(([found]) => found).find((found) => !before.includes(found));
    if (marker === undefined) continue;
    const [, range = ""] = /(\d+(?:-\d+)?)(?: like line \d+| shown before)?⟧$/.exec(marker) ?? [];
    return (
      `${marker} stands for lines that were left out of what you read; it is not part of the file. ` +
      `Read lines ${range} first, as the last line of what you read says, then edit with the real lines.`
    );
  }
  return undefined;
}

function changesOf({ tool, input }: ToolEvent): Change[] {
  if (tool === "Edit") return [changeOf(input)];
  if (tool === "MultiEdit") return Array.isArray(input.edits) ? input.edits.filter(isRecord).map(changeOf) : [];
  if (tool === "Write") return [{ before: "", after: textOf(input.content) ?? "" }];
  if (tool === "NotebookEdit") return [{ before: "", after: textOf(input.new_source) ?? "" }];
  if (tool === "apply_patch") return [patchChange(textOf(input.command) ?? textOf(input.input) ?? "")];
  return [];
}

function changeOf(edit: Readonly<Record<string, unknown>>): Change {
  return { before: textOf(edit.old_string) ?? "", after: textOf(edit.new_string) ?? "" };
}

function patchChange(patch: string): Change {
  const lines = patch.split("\n");
  const added = lines.filter((line) => line.startsWith("+"));
  return { before: lines.filter((line) => !line.startsWith("+")).join("\n"), after: added.join("\n") };
}
