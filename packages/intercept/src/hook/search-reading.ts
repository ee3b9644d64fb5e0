// Results of a client's own search, in the forms of X-58: matching lines, or names of files.
import type { HookAnswer } from "./hook-answer.ts";
import { MIN_TOKENS, type Reading } from "./reading.ts";
import { type ToolEvent, textOf } from "./tool-event.ts";

/** Lists with fewer lines are not cut. */
const MIN_LINES = 60;

/** The name of a file above its matches: ripgrep puts an empty line between files. */
export function headingOf(path: string, above: readonly string[]): string[] {
  return above.length === 0 ? [path] : ["", path];
}

/** A list of matching lines in one of ripgrep's forms; undefined for a short one. */
export function searchReading(event: ToolEvent, text: string, replace: Replace): Reading | undefined {
  return listReading(event, { text, replace, search: { onlyPath: textOf(event.input.path) } });
}

/** A list of paths, of which none is more important than another: all of them by directory; undefined for a short one. */
export function filesReading(event: ToolEvent, text: string, replace: Replace): Reading | undefined {
  return listReading(event, { text, replace, search: { asksForAll: true, prints: "paths" } });
}

type Replace = (shown: string) => HookAnswer;

interface List {
  readonly text: string;
  readonly replace: Replace;
  readonly search: Omit<NonNullable<Reading["search"]>, "searched">;
}

function listReading(event: ToolEvent, { text, replace, search }: List): Reading | undefined {
  if (text.split("\n").length <= MIN_LINES) return undefined;
  const pattern = textOf(event.input.pattern) ?? "";
  return {
    text,
    class: "search",
    minTokens: MIN_TOKENS,
    kind: "matches",
    numbered: false,
    isWholeFile: false,
    asked: [pattern],
    what: pattern,
    replace,
    search: { ...search, searched: pattern },
  };
}
