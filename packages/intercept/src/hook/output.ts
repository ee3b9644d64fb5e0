// Results with their text in `output`: those of opencode's own tools ({title, output, metadata}), and of every client in the
// plain form.
import { isRecord } from "@jeeves/base";
import type { HookAnswer } from "./hook-answer.ts";
import type { ToolEvent } from "./tool-event.ts";

/** The text of a result; undefined for one of another shape. */
export function outputOf({ response }: ToolEvent): string | undefined {
  return isRecord(response) && typeof response.output === "string" ? response.output : undefined;
}

/** An answer that replaces a result's text. */
export function replaceOutput(output: string): HookAnswer {
  return { kind: "replace", output: { output } };
}
