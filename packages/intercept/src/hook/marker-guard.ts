// No marker of ours may end up in a file: an edit that writes one is refused, with a hint how to get the real lines. A file
// that already contains such text, as documents about Jeeves do, can still be edited and rewritten.
import { isRecord } from "@jeeves/base";
import { recoveryLinesIn } from "@jeeves/cut";
import { readPlainFile } from "@jeeves/state";
import { toAbsolute } from "./session-memory.ts";
import { type ToolEvent, textOf } from "./tool-event.ts";

/** Markers of blocks: in tools, hooks and commands; in `prune_text`; in `/prune`, where they must be a whole line. */
const BLOCK = /⟦… ×?\d+ lines? (\d+(?:-\d+)?)(?: like line \d+| shown before)?(?:: [^⟧\n]*)?⟧/g;
/** Markers inside of a line. */
const CHARS_BLOCK = /⟦… [\d,]+ chars (\d+-\d+)(?:: [^⟧\n]*)?⟧/g;
const FRENCH_BLOCK = /⟦PRUNÉ: prune_id=\S+ lignes (\d+-\d+) \(\d+\) raison=[^\n⟧]*⟧/g;
const FILTERED_BLOCK = /^[ \t]*\(filtered \d+ lines\)[ \t]*$/gm;
/** A larger file is treated as one without markers. */
const MAX_FILE_BYTES = 4_000_000;

interface Change {
  /** The text that is replaced, or kept around the new text. */
  readonly before: string;
  readonly after: string;
  /** The files that are changed. */
  readonly paths: readonly string[];
}

interface Marker {
  readonly text: string;
  /** The lines or characters that it stands for, where it names them. */
  readonly range?: string | undefined;
}

/** The reason to refuse, in words for the model; undefined where there is none. */
export async function refusalOf(event: ToolEvent): Promise<string | undefined> {
  for (const { before, after, paths } of changesOf(event)) {
    const written = markersIn(after).filter(({ text }) => !before.includes(text));
    if (written.length === 0) continue;
    const files = await Promise.all(paths.map((path) => readFileOf(toAbsolute(path, event.cwd))));
    const marker = written.find(({ text }) => !files.some((file) => file.includes(text)));
    if (marker === undefined) continue;
    const lines = marker.range ?? "what was left out";
    return (
      `${marker.text} stands for lines that were left out of what you read; it is not part of the file. ` +
      `Read ${lines} first, as the last line of what you read says, then edit with the real lines.`
    );
  }
  return undefined;
}

function markersIn(text: string): Marker[] {
  const blocks = [BLOCK, FRENCH_BLOCK].flatMap((form) => [...text.matchAll(form)]);
  const chars = [...text.matchAll(CHARS_BLOCK)];
  const lines = [...(text.match(FILTERED_BLOCK) ?? []), ...recoveryLinesIn(text)];
  return [
    ...blocks.map(([found, range]) => ({ text: found, range: `lines ${range}` })),
    ...chars.map(([found, range]) => ({ text: found, range: `chars ${range}` })),
    ...lines.map((line) => ({ text: line.trim() })),
  ];
}

/** A file that cannot be read is treated as one without markers. */
async function readFileOf(path: string): Promise<string> {
  const bytes = await readPlainFile(path, { maxBytes: MAX_FILE_BYTES }).catch(() => undefined);
  return bytes?.toString("utf8") ?? "";
}

function changesOf({ tool, input }: ToolEvent): Change[] {
  const paths = [textOf(input.file_path) ?? textOf(input.notebook_path)].filter((path) => path !== undefined);
  const changeOf = (edit: Readonly<Record<string, unknown>>): Change => ({
    before: textOf(edit.old_string) ?? "",
    after: textOf(edit.new_string) ?? "",
    paths,
  });
  if (tool === "Edit") return [changeOf(input)];
  if (tool === "MultiEdit") return Array.isArray(input.edits) ? input.edits.filter(isRecord).map(changeOf) : [];
  if (tool === "Write") return [{ before: "", after: textOf(input.content) ?? "", paths }];
  if (tool === "NotebookEdit") return [{ before: "", after: textOf(input.new_source) ?? "", paths }];
  if (tool === "apply_patch") return [patchChange(textOf(input.command) ?? textOf(input.input) ?? "")];
  // Codex applies a patch in a command without a separate call for it.
  const command = tool === "Bash" ? (textOf(input.command) ?? "") : "";
  return /\bapply_?patch\b/.test(command) ? [patchChange(command)] : [];
}

function patchChange(patch: string): Change {
  const lines = patch.split("\n");
  const added = lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
  return {
    before: lines.filter((line) => !line.startsWith("+")).join("\n"),
    after: added.join("\n"),
    paths: [...patch.matchAll(/^\*\*\* (?:Update|Add) File: (.+)$/gm)].map(([, path = ""]) => path.trim()),
  };
}
