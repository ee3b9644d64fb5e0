// What the model is shown of one text: all of it, or the kept lines with their markers, and never more than its client
// displays, because a client cuts the middle out of an answer that is too long, and tells nobody.
import { type Block, countLines, type Pruned, renderPruned, shortMarker } from "@jeeves/prune";

/** Room for the words around the text: `[stderr]`, the exit code, the last line. */
export const RESERVED_CHARS = 200;

export interface Shown {
  /** One string per part of the text (bash: stdout and stderr; else one), markers included. */
  readonly parts: readonly string[];
  /** Per line of the text, whether it is shown. */
  readonly isShown: (lineIndex: number) => boolean;
  /** The first line (1-based) that was left out only because the client's limit was reached. */
  readonly nextLine?: number;
}

export interface TextToShow {
  readonly text: string;
  readonly parts: readonly string[];
  readonly barriers?: readonly number[];
}

export function showWhole(what: TextToShow): Shown {
  return { parts: what.parts, isShown: () => true };
}

export function showPruned(what: TextToShow, pruned: Pruned): Shown {
  return { parts: renderParts(what, pruned), isShown: (index) => pruned.kept[index] !== 0 };
}

/** The head of a text that its client could not display whole, or undefined where it fits. */
export function fitToClient(
  what: TextToShow,
  pruned: Pruned | undefined,
  maxChars: number | undefined,
): Shown | undefined {
  if (maxChars === undefined) return undefined;
  const room = Math.max(1, maxChars - RESERVED_CHARS);
  const lengthOf = (parts: readonly string[]) => parts.reduce((sum, part) => sum + part.length, 0);
  if (lengthOf(pruned === undefined ? what.parts : renderParts(what, pruned)) <= room) return undefined;
  const kept = pruned === undefined ? new Uint8Array(countLines(what.text)).fill(1) : pruned.kept.slice();
  const fitting = countFitting(what.text, kept, room);
  if (fitting === 0) return { parts: [cutInsideLine(what.text, room)], isShown: (index) => index === 0, nextLine: 1 };
  kept.fill(0, fitting);
  const blocks = blocksOf(kept, what.barriers ?? []);
  const cut: Pruned = {
    ...(pruned ?? { kind: "logs", match: "clear" }),
    status: "pruned",
    lineCount: kept.length,
    kept,
    blocks,
  };
  return { parts: renderParts(what, cut), isShown: (index) => kept[index] !== 0, nextLine: fitting + 1 };
}

/** How many leading lines fit, dropped ones charged a marker. */
function countFitting(text: string, kept: Uint8Array, room: number): number {
  let used = 0;
  let from = 0;
  for (let index = 0; index < kept.length; index++) {
    const end = text.indexOf("\n", from);
    const stop = end < 0 ? text.length : end + 1;
    if (kept[index] !== 0) used += stop - from;
    else if (index === 0 || kept[index - 1] !== 0) used += 32;
    if (used > room) return index;
    from = stop;
  }
  return kept.length;
}

function cutInsideLine(text: string, room: number): string {
  const code = text.charCodeAt(room - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, splitsPair ? room - 1 : room);
}

function blocksOf(kept: Uint8Array, barriers: readonly number[]): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start < 0) return;
    blocks.push({ startLine: start + 1, endLine: end, lineCount: end - start, label: { what: "lines", name: "" } });
    start = -1;
  };
  for (let index = 0; index < kept.length; index++) {
    if (barriers.includes(index)) close(index);
    if (kept[index] !== 0) close(index);
    else if (start < 0) start = index;
  }
  close(kept.length);
  return blocks;
}

/** Renders once and splits at the barriers: every kept line and every block is one line of the rendered text. */
function renderParts(what: TextToShow, pruned: Pruned): string[] {
  const rendered = renderPruned(what.text, pruned, { marker: shortMarker });
  const parts: string[] = [];
  let from = 0;
  let line = 0;
  for (const barrier of what.barriers ?? []) {
    let outputLines = 0;
    for (let first = line; line < barrier; line++) {
      if (pruned.kept[line] !== 0 || line === first || pruned.kept[line - 1] !== 0) outputLines++;
    }
    let to = from;
    for (; outputLines > 0; outputLines--) to = rendered.indexOf("\n", to) + 1;
    parts.push(rendered.slice(from, to));
    from = to;
  }
  parts.push(rendered.slice(from));
  return parts;
}
