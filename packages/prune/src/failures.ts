// failures in a text that is no log. Where a stretch of it reads like the output of a program, what failed there
// stays, as it would in a log.

import type { Focus } from "./focus.ts";
import { lookOf } from "./line-looks.ts";
import { indentOf, type LineTable } from "./lines.ts";
import { type LogLines, logLinesOf } from "./log-lines.ts";
import { AFTER, BEFORE, markFailures } from "./log-marks.ts";
import { TROUBLE, TROUBLE_FIELD } from "./log-signs.ts";
import { idsOf, templatesOf } from "./log-templates.ts";
import { findTroubles, isTrouble, signOf } from "./log-troubles.ts";
import { type Outline, ROLE } from "./outline.ts";
import { findOutput, type Stretch } from "./output-stretches.ts";
import { WHY } from "./why.ts";

export interface FailureHow {
  readonly focus: Focus;
  /** Under a ratio no trouble line goes, see LogHow. */
  readonly isOrder: boolean;
  readonly maxChars?: number;
  readonly poll: () => void;
}

const HEADER = WHY.indexOf("header") + 1;
/** A page with so many blocks of code is a manual; what a block of at most this many lines shows there is an example. */
const MANUAL_BLOCKS = 10;
const EXAMPLE_LINES = 150;
/** Trouble in words, or as a compiler tells it: by its place. */
const ANY_TROUBLE = new RegExp(`${TROUBLE.source}|\\w:\\d+:\\d+: `, "gim");

/** Per line: 0, or the code of the reason it must stay; undefined where nothing failed. */
export function findFailures(table: LineTable, outline: Outline, how: FailureHow): Uint8Array | undefined {
  const lines = logLinesOf(table, how.poll);
  if (!mayFail(lines)) return undefined;
  const templates = templatesOf(table, idsOf(how.focus), how.poll);
  const isExample = examplesIn(outline);
  const stretches = findOutput(lines, templates).filter((stretch) => !isExample(stretch));
  if (stretches.length === 0) return undefined;
  const isOutput = new Uint8Array(table.count);
  const margin = new Int32Array(table.count);
  for (const { from, to } of stretches) {
    isOutput.fill(1, from, to + 1);
    margin.fill(marginOf(table, from, to), from, to + 1);
  }
  const output = logLinesOf(table, how.poll, margin);
  const isSaid = (i: number): boolean => isOutput[i] === 1 && maySay(output.clean(i));
  const troubles = findTroubles(output, templates.first, how.isOrder).filter(({ line }) => isSaid(line));
  if (troubles.length === 0) return undefined;
  const must = markFailures(output, { ...how, troubles, templates });
  clip(must, stretches);
  openBlocks(outline, must);
  return must;
}

const isSolid = ({ role }: Outline, i: number): boolean => ((role[i] ?? 0) & ROLE.solid) !== 0;

/** Whether a stretch is one of the examples of a manual. */
function examplesIn(outline: Outline): (stretch: Stretch) => boolean {
  const { unitStart, unitEnd, role } = outline;
  let blocks = 0;
  for (let i = 0; i < role.length; i++) if (isSolid(outline, i) && unitStart[i] === i) blocks++;
  return ({ from }) =>
    blocks >= MANUAL_BLOCKS && isSolid(outline, from) && (unitEnd[from] ?? 0) - (unitStart[from] ?? 0) < EXAMPLE_LINES;
}

/** K-30 keeps a block of code in one piece. A long one that holds a program's output is no code: its frame stays whole. */
function openBlocks(outline: Outline, must: Uint8Array): void {
  const { unitStart, unitEnd, role } = outline;
  for (let i = 0; i < must.length; i++) {
    const start = unitStart[i] ?? i;
    const end = unitEnd[i] ?? i;
    if (must[i] === 0 || !isSolid(outline, i) || end - start < EXAMPLE_LINES) continue;
    for (let line = start; line <= end; line++) {
      unitStart[line] = line;
      unitEnd[line] = line;
      role[line] = (role[line] ?? 0) & ~ROLE.solid;
    }
    must[start] ||= HEADER;
    must[end] ||= HEADER;
    i = end;
  }
}

/** A source's own checks and messages are no trouble, not even between two failures, nor is every name in a record. */
function maySay(text: string): boolean {
  const look = lookOf(text);
  return look === "data" ? TROUBLE_FIELD.test(text) : look !== "written";
}

/** A quick look: whether any line tells of trouble and does not look like a source or a sentence. */
function mayFail(lines: LogLines): boolean {
  const { table } = lines;
  let line = 0;
  ANY_TROUBLE.lastIndex = 0;
  for (let hit = ANY_TROUBLE.exec(table.text); hit !== null; hit = ANY_TROUBLE.exec(table.text)) {
    while (line + 1 < table.count && (table.starts[line + 1] ?? 0) <= hit.index) line++;
    const text = lines.clean(line);
    if ((isTrouble(text) || signOf(text) !== undefined) && maySay(text)) return true;
    ANY_TROUBLE.lastIndex = Math.max(table.starts[line + 1] ?? 0, hit.index + 1);
  }
  return false;
}

/** How far all lines of a stretch are indented: tools' signs stand at the beginning of a line. */
function marginOf(table: LineTable, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i <= to; i++) {
    const indent = indentOf(table, i);
    if (indent >= 0 && indent < least) least = indent;
  }
  return least;
}

/** What a failure takes along ends with the output that it stands in. */
function clip(must: Uint8Array, stretches: readonly Stretch[]): void {
  let next = 0;
  for (const { from, to } of stretches) {
    must.fill(0, next, Math.max(next, from - BEFORE));
    next = to + AFTER + 1;
  }
  must.fill(0, Math.min(next, must.length));
}
