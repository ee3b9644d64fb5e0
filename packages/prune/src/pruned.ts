// The result of prune(), and the blocks in it: the complement of the kept lines, in order, split at barriers, each with a
// label that tells the reader what was left out. A label is only a description for people.
import type { SourceKind } from "./outline/extensions.ts";
import { type Outline, ROLE } from "./outline/outline.ts";
import { type LineTable, lineAt } from "./text/lines.ts";

/** What a block held, as a description for people. */
export interface BlockLabel {
  /** What the lines are; "seen": lines that the reader has been shown before. */
  readonly what: "function" | "class" | "section" | "imports" | "tests" | "repeats" | "seen" | "lines";
  /** The names of the scopes in it, else of the scope around it, else the beginning of its first line. */
  readonly name: string;
  /** What the marker itself names: keys, items, headings. One short line, safe to print. */
  readonly holds?: string;
  /** For repeats: the kept line (1-based) that all of them look like. */
  readonly like?: number;
}

/** Characters of the whole text, 1-based and inclusive, in UTF-16 units. */
export interface CharRange {
  readonly startChar: number;
  readonly endChar: number;
}

/** What was left out in one place. Lines are 1-based and inclusive. */
export interface Block {
  readonly startLine: number;
  readonly endLine: number;
  /** How many lines are not shown at all. */
  readonly lineCount: number;
  readonly label: BlockLabel;
  /** A cut inside the line `startLine`, which is shown around it: `lineCount` is 0. Never a line end, never half of a pair. */
  readonly chars?: CharRange;
}

/** Which lines of a text were kept, why, and what was left out. */
export interface Pruned {
  /** "whole": nothing was dropped; "stopped": nothing either, because `shouldStop` or the limit on work ended it. */
  readonly status: "pruned" | "whole" | "stopped";
  /** What the text was read as. */
  readonly kind: SourceKind;
  /** The language whose grammar read it. */
  readonly language?: string;
  /** The language whose grammar could not be loaded: the scopes come from indentation. */
  readonly withoutGrammar?: string;
  /** Lines of the text. */
  readonly lineCount: number;
  /** Per line: 0 dropped, else index into WHY plus one; a line of which a part is shown is kept. */
  readonly kept: Uint8Array;
  /** What was left out, in the order of the text. */
  readonly blocks: readonly Block[];
  /**
   * How well the best place matches the focus: "weak" where it has less than a sixth of it, "none" where no word
   * matches.
   */
  readonly match: "clear" | "weak" | "none";
  /**
   * Why nothing was dropped: "empty", "all_kept", "no_gain" (markers would cost as much), "no_match", "constraints_unmet",
   * "engine_error" or "stopped".
   */
  readonly note?: string;
  /** The text as an outline with its best part in full, or the best part of a log; only with `PruneOptions.outline`. */
  readonly asOutline?: Pruned;
}

interface BlockContext {
  readonly table: LineTable;
  readonly outline: Outline;
  readonly isBarrier: (line: number) => boolean;
  /** Line (0-based) that line i repeats, or -1; absent where nothing repeats. */
  readonly repeatOf?: Int32Array;
  /** What the lines of a block hold (0-based, inclusive), in the words of the text's shape. */
  readonly holds?: (from: number, to: number) => string;
}

/** The blocks between the kept lines, with their labels. */
export function blocksOf(kept: Uint8Array, context: BlockContext): Block[] {
  const blocks: Block[] = [];
  let from = -1;
  for (let i = 0; i <= kept.length; i++) {
    const dropped = i < kept.length && kept[i] === 0;
    if (from >= 0 && (!dropped || context.isBarrier(i))) {
      blocks.push({ startLine: from + 1, endLine: i, lineCount: i - from, label: labelOf(from, i - 1, kept, context) });
      from = -1;
    }
    if (dropped && from < 0) from = i;
  }
  return blocks;
}

const NAMES_SHOWN = 3;

function labelOf(from: number, to: number, kept: Uint8Array, context: BlockContext): BlockLabel {
  const label = sortOf(from, to, kept, context);
  const holds = label.what === "repeats" ? "" : (context.holds?.(from, to) ?? "");
  return holds === "" ? label : { ...label, holds };
}

function sortOf(from: number, to: number, kept: Uint8Array, { table, outline, repeatOf }: BlockContext): BlockLabel {
  const like = repeatOf?.[from] ?? -1;
  if (like >= 0 && kept[like] !== 0 && repeatOf !== undefined) {
    let all = true;
    for (let i = from; i <= to && all; i++) all = repeatOf[i] === like;
    if (all) return { what: "repeats", name: "", like: like + 1 };
  }
  let imports = 0;
  let filled = 0;
  const names: string[] = [];
  let what: BlockLabel["what"] = "lines";
  let last = -1;
  let firstLine = from;
  let lastLine = from;
  for (let i = from; i <= to; i++) {
    const role = outline.role[i] ?? 0;
    if ((role & ROLE.blank) !== 0) continue;
    if (filled++ === 0) firstLine = i;
    if ((role & ROLE.closer) === 0) lastLine = i;
    if ((role & ROLE.import) !== 0) imports++;
    const s = outline.scopeOf[i] ?? 0;
    const scope = outline.scopes[s];
    if (s === last || scope === undefined || (role & ROLE.header) === 0 || scope.start < from || scope.name === "")
      continue;
    last = s;
    if (names.length < NAMES_SHOWN && scope.kind !== "group") names.push(scope.name);
    if (what === "lines") what = scope.kind === "class" || scope.kind === "section" ? scope.kind : "function";
  }
  if (imports > 0 && imports === filled) return { what: "imports", name: "" };
  if (names.length > 0 && names.every((name) => /^test|Test/.test(name))) what = "tests";
  if (names.length > 0) return { what, name: names.join(", ") };
  // The name of the scope that holds all of them; where only the whole text does, the first line.
  let scope = outline.scopes[outline.scopeOf[firstLine] ?? 0];
  while (scope !== undefined && scope.end < lastLine) scope = outline.scopes[scope.parent];
  return { what: "lines", name: scope?.name || lineAt(table, firstLine).trim().slice(0, 40) };
}
