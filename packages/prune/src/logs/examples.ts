// Finds the examples of a manual: a failure that a page shows in a block of code is not the reader's. A report of many runs
// has as many blocks, but its failures are real: there the good blocks are few, or share lines that a program wrote.
import { type Outline, ROLE } from "../outline/outline.ts";
import { lookOf } from "./line-looks.ts";
import type { LogLines } from "./log-lines.ts";
import type { Templates } from "./log-templates.ts";

/** A page with so many blocks of code may be a manual. */
const MANUAL_BLOCKS = 10;
/** Shorter blocks of a manual are examples. */
export const EXAMPLE_LINES = 150;
/** Where so many blocks share a line, and most of those that did not fail do, a program wrote them. */
const MOULD_BLOCKS = 5;
const MOULD_SHARE = 0.5;
const GOOD_PER_FAILED = 20;
const WORD = /\p{L}{2}/u;

/** Whether line i is in a block that is kept or dropped as one. */
export const isSolid = ({ role }: Outline, i: number): boolean => ((role[i] ?? 0) & ROLE.solid) !== 0;

/** Makes a test whether a line is in one of the examples of a manual. */
export function createExamples(
  outline: Outline,
  lines: LogLines,
  templates: Templates,
  failed: readonly { readonly line: number }[],
): (line: number) => boolean {
  const { unitStart, unitEnd, role } = outline;
  const blocks: number[] = [];
  for (let i = 0; i < role.length; i++) if (isSolid(outline, i) && unitStart[i] === i) blocks.push(i);
  if (blocks.length < MANUAL_BLOCKS) return () => false;
  const bad = new Set(failed.filter(({ line }) => isSolid(outline, line)).map(({ line }) => unitStart[line] ?? line));
  const good = blocks.filter((start) => !bad.has(start));
  if (bad.size * GOOD_PER_FAILED <= good.length || areOfOneMould(outline, lines, templates, good)) return () => false;
  return (line) => isSolid(outline, line) && (unitEnd[line] ?? 0) - (unitStart[line] ?? 0) < EXAMPLE_LINES;
}

function areOfOneMould(
  outline: Outline,
  { clean }: LogLines,
  { first }: Templates,
  blocks: readonly number[],
): boolean {
  const shapes = blocks.map((start) => {
    const own = new Set<number>();
    for (let i = start + 1; i < (outline.unitEnd[start] ?? start); i++) own.add(first[i] ?? i);
    return own;
  });
  const times = new Map<number, number>();
  for (const own of shapes) for (const shape of own) times.set(shape, (times.get(shape) ?? 0) + 1);
  const isCommon = (shape: number): boolean => {
    if ((times.get(shape) ?? 0) < MOULD_BLOCKS) return false;
    const text = clean(shape);
    // Each example of a manual may open with the same import or command.
    return WORD.test(text) && !text.startsWith("$") && ["printed", "unclear"].includes(lookOf(text));
  };
  return blocks.length > 0 && shapes.filter((own) => [...own].some(isCommon)).length >= blocks.length * MOULD_SHARE;
}
