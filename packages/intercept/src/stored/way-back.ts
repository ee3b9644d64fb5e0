// Whether a call asks for lines that an earlier cut left out: the sign that the cut was too much (X-52). For the clients'
// own tools only; recover_text records its calls itself.
import { PRUNE_ID_PATTERN } from "@jeeves/base";
import { type SeenCut, type SessionMemory, toAbsolute } from "../hook/session-memory.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

const MAX_NAMED = 20;
const STORED_FILE = new RegExp(`[/\\\\](${PRUNE_ID_PATTERN})\\.txt\\b`);

/** the id of the stored text that a path or command names; stored texts are plain files, which agents may read. */
export function storedIdIn(pathOrCommand: string): string | undefined {
  return STORED_FILE.exec(pathOrCommand)?.[1];
}

/** The ids of all stored texts that a command names, up to a limit. */
export function storedIdsIn(command: string): string[] {
  const found = command.matchAll(new RegExp(STORED_FILE, "g"));
  return [...new Set([...found].map(([, id = ""]) => id))].slice(0, MAX_NAMED);
}

/** A call for lines that an earlier cut left out. */
export interface WayBack {
  readonly pruneId: string;
  /** The cut was only counted, not shown. */
  readonly isShadow: boolean;
}

/** The cut whose dropped lines a call asks for; undefined where it asks for none. */
export function wayBackOf(event: ToolEvent, memory: SessionMemory): WayBack | undefined {
  // The file of a search is its `path`.
  const path = textOf(event.tool === "Grep" ? event.input.path : event.input.file_path);
  if (path === undefined) return undefined;
  const stored = storedIdIn(path);
  if (stored !== undefined) return { pruneId: stored, isShadow: false };
  const cut = event.tool === "Read" ? memory.cuts.get(toAbsolute(path, event.cwd)) : undefined;
  if (cut === undefined || !readsDropped(event, cut)) return undefined;
  return { pruneId: cut.pruneId, isShadow: cut.isShadow };
}

function readsDropped({ input }: ToolEvent, cut: SeenCut): boolean {
  const offset = Number(input.offset ?? 1);
  const limit = Number(input.limit ?? Number.MAX_SAFE_INTEGER);
  if (input.offset === undefined && input.limit === undefined) return false; // the whole file: a repeated call
  return cut.blocks.some((block) => block.startLine < offset + limit && block.endLine >= offset);
}
