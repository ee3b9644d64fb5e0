// The outline of a text with its best part in full, for a reader who will ask for more lines by their numbers. Every scope
// shows its header, and a stretch without headers a line now and then, so that the reader can ask for a small block.
import { ROLE, type Scope } from "../outline/outline.ts";
import { indentOf, lineLength } from "../text/lines.ts";
import { keepShare } from "./amount.ts";
import { codeOf, fillGaps, keptChars, type Selection } from "./select.ts";

const HEADER = codeOf("header");
/** Of a longer signature the first lines are shown. */
const HEADER_LINES = 3;
/** Share of the best lines that is shown in full even where the headers alone exceed the bound. */
const LEAST_BEST = 0.3;
/** A block that is longer gets signposts. */
const MAX_BLOCK_LINES = 24;
/** A signpost stands at least so far from the beginning and the end of its block. */
const MIN_BLOCK_LINES = 6;
/** Longer lines are not used as signposts. */
const MAX_SIGNPOST_CHARS = 120;

/** How much an outline shows. */
export interface OutlineAmount {
  /** Share of the characters for the best lines; the outline comes on top. */
  readonly keep: number;
  /** Share of the characters for all of it, as far as the headers alone leave room; default: no bound. */
  readonly most?: number;
  /** Scopes of fewer lines are not listed; default: all are. */
  readonly minScopeLines?: number;
  /** Share of the characters for the best lines of a program's output, which has no headers; default: it has no short form. */
  readonly keepOfLog?: number;
}

/** The headers of all scopes that have a name, and the best lines in full. */
export function keepOutline(selection: Selection, amount: OutlineAmount): Uint8Array {
  const kept = outlineWith(selection, amount, amount.keep);
  const { length } = selection.table.text;
  if (amount.most === undefined || keptChars(selection, kept) <= amount.most * length) return kept;
  const bare = outlineWith(selection, amount, 0);
  const room = amount.most - keptChars(selection, bare) / Math.max(1, length);
  // A part of the best is shown in any case: it may be what is looked for.
  return outlineWith(selection, amount, Math.min(amount.keep, Math.max(room, LEAST_BEST * amount.keep)));
}

function outlineWith(selection: Selection, { minScopeLines = 1 }: OutlineAmount, keep: number): Uint8Array {
  const kept = keep > 0 ? keepShare(selection, { mode: "share", keep }) : selection.must.slice();
  const listed = selection.outline.scopes.filter(
    (scope) => isListed(scope) && scope.end - scope.start + 1 >= minScopeLines,
  );
  const named = listed.filter(({ name }) => name !== "");
  // A callback without a name is no help; one that is passed with a string, as a test is, has it as its name.
  for (const scope of named.length > 0 ? named : listed) showHeader(scope, kept);
  for (const scope of selection.outline.scopes) dropIdleCloser(scope, selection, kept);
  addSignposts(selection, kept);
  // Not `settle`: a header in an outline stands without its body and without what closes it.
  fillGaps(selection, kept);
  return kept;
}

function isListed({ kind, parent }: Scope): boolean {
  return parent >= 0 && (kind === "class" || kind === "function" || kind === "section");
}

function showHeader({ start, headerEnd }: Scope, kept: Uint8Array): void {
  const last = Math.max(start, Math.min(headerEnd, start + HEADER_LINES - 1));
  for (let i = start; i <= last && i < kept.length; i++) if (kept[i] === 0) kept[i] = HEADER;
}

/** Drops the closing lines of a scope of which only headers are shown: they would be as long as their marker. */
function dropIdleCloser({ headerEnd, closer, end, parent }: Scope, { outline }: Selection, kept: Uint8Array): void {
  if (parent < 0) return;
  const idle = ROLE.header | ROLE.closer | ROLE.blank;
  for (let i = headerEnd + 1; i < closer && i < kept.length; i++)
    if (kept[i] !== 0 && ((outline.role[i] ?? 0) & idle) === 0) return;
  kept.fill(0, Math.max(closer, headerEnd + 1), end + 1);
}

function addSignposts(selection: Selection, kept: Uint8Array): void {
  for (let from = 0; from < kept.length; from++) {
    if (kept[from] !== 0) continue;
    let end = from;
    while (end < kept.length && kept[end] === 0) end++;
    for (let start = from; end - start > MAX_BLOCK_LINES; ) {
      const post = signpostIn(selection, start + MIN_BLOCK_LINES, Math.min(end - 2, start + MAX_BLOCK_LINES));
      if (post < 0) {
        start += MAX_BLOCK_LINES;
        continue;
      }
      kept[post] = HEADER;
      start = post + 1;
    }
    from = end;
  }
}

/** The line that is indented least, the first of several; -1 where none has words. */
function signpostIn({ table, outline }: Selection, from: number, to: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i < to; i++) {
    const isIdle = ((outline.role[i] ?? 0) & (ROLE.blank | ROLE.closer)) !== 0;
    const indent = indentOf(table, i);
    if (isIdle || indent >= least || indent < 0 || lineLength(table, i) > MAX_SIGNPOST_CHARS || !isTelling(i)) continue;
    best = i;
    least = indent;
  }
  return best;

  function isTelling(i: number): boolean {
    return /\w{2}/.test(table.text.slice(table.starts[i] ?? 0, table.starts[i + 1] ?? table.text.length));
  }
}
