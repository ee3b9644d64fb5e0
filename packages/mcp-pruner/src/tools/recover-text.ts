// The tool `recover_text`: lines of a stored text, exactly. The first item of `content` is the lines and nothing
// else; where its client could not display them all, a second item names the next range, or the file that holds a line
// which no page could show.
import { judgeStored, type Meter } from "@jeeves/intercept";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { countLines, linesOf, splitLines } from "@jeeves/prune";
import { StateError, type StoredText } from "@jeeves/state";
import { type RecoverArguments, recoverArguments } from "../arguments.ts";
import { byteLength } from "../pruning.ts";
import type { Session } from "../session.ts";
import { recoverSurface } from "../surface.ts";
import { startExecution } from "./execution.ts";
import type { ToolDeps } from "./tool-deps.ts";

interface Range {
  readonly start_line: number;
  readonly end_line: number;
}

interface RecoverDeps extends Pick<ToolDeps, "store" | "project" | "root" | "rulesOf"> {
  readonly meter: Meter;
  readonly session: Session;
}

export function createRecoverTool(deps: RecoverDeps) {
  return defineTool<RecoverArguments>({
    ...recoverSurface,
    args: recoverArguments,
    run: (args, call) => recover(args, call, deps),
  });
}

async function recover(args: RecoverArguments, call: ToolCall, deps: RecoverDeps): Promise<ToolOutcome> {
  const execution = startExecution("recover_text", call);
  const failed = (code: string, message: string, hint: string): ToolOutcome => {
    execution.failed({ code, message });
    return {
      text: `${message}\n${hint}`,
      structured: { tool: "recover_text", error: { code, message } },
      isError: true,
    };
  };
  let stored: StoredText | undefined;
  try {
    stored = await deps.store.get(args.prune_id);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return failed("store_unavailable", error.message, error.hint);
  }
  const { project, root, session, meter } = deps;
  const rules = () => deps.rulesOf(call);
  const access =
    stored &&
    (await judgeStored(
      { pruneId: args.prune_id, stored },
      { project, root: root.path, session: session.id, meter, rules },
    ));
  // the rules of this moment hold for what was read earlier, too.
  if (access?.kind === "denied") return failed("permission_denied", access.message, access.hint);
  if (stored === undefined || access?.kind === "foreign") {
    return failed(
      "prune_id_not_found",
      `no stored text ${args.prune_id}`,
      "it expired or never was: call the tool again",
    );
  }
  const lineCount = countLines(stored.text);
  const wrong = args.ranges?.find((range) => !isValid(range, lineCount));
  if (wrong !== undefined || args.ranges?.length === 0) {
    const given = wrong === undefined ? "ranges is empty" : `lines ${wrong.start_line}-${wrong.end_line} are no range`;
    return failed(
      "invalid_range",
      `${given} of a text of ${lineCount} lines`,
      `valid: 1 ≤ start_line ≤ end_line, start_line ≤ ${lineCount}`,
    );
  }
  const ranges = args.ranges?.map((range) => ({ ...range, end_line: Math.min(range.end_line, lineCount) }));
  const whole = ranges ?? [{ start_line: 1, end_line: lineCount }];
  const isRaw = ranges === undefined && !args.include_line_numbers;
  const content = isRaw ? stored.text : render(stored.text, whole, args.include_line_numbers);
  const page = pageOf(stored.text, whole, { ...args, maxChars: call.maxResultChars, content });
  execution.succeeded(byteLength(page.content), { prune_id: args.prune_id });
  const more = [
    ...(page.cutLine === undefined ? [] : [await wholeLineHint(page.cutLine, { stored, ...deps })]),
    ...(page.next === undefined ? [] : [`[next: recover_text ${args.prune_id} lines ${page.next}]`]),
  ];
  return {
    text: page.content,
    ...(more.length === 0 ? {} : { more }),
    structured: {
      tool: "recover_text",
      prune_id: args.prune_id,
      ranges: page.ranges,
      content: page.content,
      duration_ms: execution.durationMs(),
    },
    mode: "raw",
  };
}

function isValid(range: Range, lineCount: number): boolean {
  return range.start_line >= 1 && range.start_line <= range.end_line && range.start_line <= lineCount;
}

/** the lines of a range joined by `\n`, ranges joined by `\n`, nothing after the last line. */
function render(text: string, ranges: readonly Range[], includeLineNumbers: boolean): string {
  const table = splitLines(text);
  return ranges
    .map((range) => {
      const lines = linesOf(table, range.start_line, range.end_line);
      if (!includeLineNumbers) return lines;
      return lines
        .split("\n")
        .map((line, offset) => `${range.start_line + offset}│ ${line}`)
        .join("\n");
    })
    .join("\n");
}

interface Page {
  readonly content: string;
  readonly ranges: readonly Range[];
  /** The only line of the page, where not even that one could be shown whole. */
  readonly cutLine?: CutLine;
  /** What comes after this page, as `a-b`, ranges separated by commas. */
  readonly next?: string;
}

interface CutLine {
  readonly number: number;
  readonly text: string;
  readonly shownChars: number;
}

/** As many whole lines as the client displays; of a line that is longer than that, its beginning. */
function pageOf(
  text: string,
  ranges: readonly Range[],
  how: { readonly include_line_numbers: boolean; readonly maxChars: number | undefined; readonly content: string },
): Page {
  const { maxChars } = how;
  if (maxChars === undefined || how.content.length <= maxChars) return { content: how.content, ranges };
  const table = splitLines(text);
  const prefixOf = (line: number) => (how.include_line_numbers ? `${line}│ ` : "");
  const shown: Range[] = [];
  const left: Range[] = [];
  let cutLine: CutLine | undefined;
  let room = maxChars;
  for (const range of ranges) {
    let end = range.start_line - 1;
    while (left.length === 0 && cutLine === undefined && end < range.end_line) {
      const prefix = prefixOf(end + 1);
      const line = linesOf(table, end + 1, end + 1);
      const cost = prefix.length + line.length + 1;
      const isFirst = shown.length === 0 && end === range.start_line - 1;
      if (cost > room && !isFirst) break;
      const shownChars = lengthWithin(line, room - prefix.length);
      if (shownChars < line.length) cutLine = { number: end + 1, text: line, shownChars };
      room -= cost;
      end++;
    }
    if (end >= range.start_line) shown.push({ start_line: range.start_line, end_line: end });
    if (end < range.end_line) left.push({ start_line: end + 1, end_line: range.end_line });
  }
  const next = left.map((range) => `${range.start_line}-${range.end_line}`).join(",");
  return {
    content:
      cutLine === undefined
        ? render(text, shown, how.include_line_numbers)
        : prefixOf(cutLine.number) + cutLine.text.slice(0, cutLine.shownChars),
    ranges: shown,
    ...(cutLine === undefined ? {} : { cutLine }),
    ...(next === "" ? {} : { next }),
  };
}

/** How much of `text` fits, without the half of a pair. */
function lengthWithin(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const max = Math.max(0, maxChars);
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
}

/** Ranges count lines, so no call could bring the rest of such a line; its own file can be cut, searched or parsed. */
async function wholeLineHint(
  line: CutLine,
  { stored, store, project }: RecoverDeps & { readonly stored: StoredText },
): Promise<string> {
  const source = stored.source ?? {};
  const options = { tool: "recover_text", line: true };
  const kept = await store.put({ text: line.text, focus: "", options, source, project }).catch(() => undefined);
  const where = kept?.path === undefined ? "" : `; the whole line: ${kept.path}`;
  return `[line ${line.number}: ${line.shownChars} of ${line.text.length} characters${where}]`;
}
