// Claude Code's own Glob, where it has one: names of files, a hundred at most, with the number of the others.
import { isRecord } from "@jeeves/base";
import type { Reading } from "../hook/reading.ts";
import { filesReading } from "../hook/search-reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** A list of files; undefined for a short one, or for a result of another shape. */
export function readClaudeGlob(event: ToolEvent): Reading | undefined {
  const { response } = event;
  if (!isRecord(response) || !Array.isArray(response.filenames)) return undefined;
  const files: readonly unknown[] = response.filenames;
  // A name with a line break would become two.
  if (!files.every((file) => typeof file === "string" && !file.includes("\n"))) return undefined;
  return filesReading(event, files.join("\n"), (shown) => ({
    kind: "replace",
    output: { ...response, filenames: shown.split("\n") },
  }));
}
