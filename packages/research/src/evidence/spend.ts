// Which lines of the ranked bodies to show for a number of tokens: the best bodies whole where they are short, else their
// best statements with the headers that these stand under. A line is never shown twice.
import { estimateTokens, lineAt, ROLE } from "@jeeves/prune";
import type { RankedBody } from "./choose-bodies.ts";

/** A body, and which of its lines are shown. */
interface ShownBody {
  readonly body: RankedBody;
  /** 0-based, in order. */
  readonly lines: readonly number[];
}

/** Of what is left, the most that one body may take: the first, the second and so on. */
const SHARES = [0.7, 0.6, 0.5, 0.4, 0.3];
const LEAST_SHARE = 0.25;
/** What stands outside of functions: a few lines of it. */
const REST_SHARE = 0.12;
/** A body of so many tokens is shown whole whatever its share. */
const WHOLE_TOKENS = 160;
const REFERENCE_TOKENS = 20;
const MIN_LINES = 2;
const MAX_STATEMENT_LINES = 14;
const FILL_LINES = 1;
/** No body is shown that scores this much less than the best: what is left of the budget stays unspent. */
const MAX_BEHIND = 12;

/** Chooses lines for about so many tokens, by the engine's estimate; the lines of each body are in order. */
export function spend(bodies: readonly RankedBody[], tokens: number): ShownBody[] {
  const shown: ShownBody[] = [];
  let left = tokens;
  const [best] = bodies;
  for (const body of bodies) {
    if (left < REFERENCE_TOKENS + 20 || (best !== undefined && best.score - body.score > MAX_BEHIND)) break;
    const share = SHARES[shown.length] ?? LEAST_SHARE;
    const most = body.kind === "rest" ? left * REST_SHARE : Math.max(WHOLE_TOKENS, left * share);
    const room = Math.min(left, most) - REFERENCE_TOKENS;
    const whole = withoutDocs(body);
    const lines = body.kind === "function" && costOf(body, whole) <= room ? whole : prunedTo(body, room);
    if (lines.length < Math.min(MIN_LINES, body.lines.length)) continue;
    left -= REFERENCE_TOKENS + costOf(body, lines);
    shown.push({ body, lines });
  }
  return shown;
}

const MAX_DOC_LINES = 2;

/** A body without its documentation, but for the first lines: how it works is in the code. */
function withoutDocs({ file, lines, headerStart, headerEnd }: RankedBody): number[] {
  const { role } = file.scored.outline;
  const isComment = (i: number): boolean => ((role[i] ?? 0) & ROLE.comment) !== 0;
  let doc = 0;
  let inDoc = true;
  return lines.filter((i) => {
    if (i >= headerStart && i <= headerEnd) return true;
    if (i > headerEnd && !isComment(i) && ((role[i] ?? 0) & ROLE.blank) === 0) inDoc = false;
    return !inDoc || (isComment(i) && ++doc <= MAX_DOC_LINES);
  });
}

/** What a body costs as a part of a JSON text, with its line numbers. */
export function costOf({ file }: RankedBody, lines: readonly number[]): number {
  return lines.reduce((sum, i) => sum + lineCost(lineAt(file.scored.table, i)), 0);
}

const LINE_TOKENS = 2.4;
const QUOTE = /["\\]/g;

function lineCost(line: string): number {
  return LINE_TOKENS + estimateTokens(line) + (line.match(QUOTE)?.length ?? 0) * 0.5;
}

/** The best statements that fit, each with the headers above it inside its body. */
function prunedTo(body: RankedBody, room: number): number[] {
  const { outline, table } = body.file.scored;
  const own = new Set(body.lines);
  const kept = new Set<number>();
  let cost = 0;
  const add = (wanted: readonly number[]): boolean => {
    const more = wanted.filter((i) => own.has(i) && !kept.has(i));
    const price = more.reduce((sum, i) => sum + lineCost(lineAt(table, i)), 0);
    if (cost + price > room) return false;
    for (const i of more) kept.add(i);
    cost += price;
    return true;
  };
  if (body.kind === "function") add(range(body.headerStart, Math.max(body.headerStart, body.headerEnd)));
  const worth = lineWorth(body);
  const order = body.lines
    .filter((i) => (worth.get(i) ?? 0) > 0)
    .sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0) || a - b);
  for (const i of order) {
    if (cost > room - 12) break;
    if (kept.has(i)) continue;
    const from = outline.unitStart[i] ?? i;
    const to = outline.unitEnd[i] ?? i;
    const statement = to - from < MAX_STATEMENT_LINES ? range(from, to) : [i];
    add([...headersAbove(body, i), ...statement]);
  }
  fill(body.lines, kept, add);
  return [...kept].sort((a, b) => a - b);
}

/** Each line's own chance and that of its neighbours; comments come after code. */
function lineWorth({ file, lines }: RankedBody): Map<number, number> {
  const { chances, outline } = file.scored;
  return new Map(
    lines.map((i) => {
      const role = outline.role[i] ?? 0;
      if ((role & ROLE.blank) !== 0) return [i, 0];
      let near = 0;
      for (let d = -3; d <= 3; d++) near += (chances[i + d] ?? 0) * (4 - Math.abs(d));
      const value = 0.6 * (near / 16) + 0.4 * (chances[i] ?? 0);
      return [i, (role & (ROLE.comment | ROLE.closer)) !== 0 ? value * 0.5 : value];
    }),
  );
}

function headersAbove(body: RankedBody, line: number): number[] {
  const { scopes, scopeOf } = body.file.scored.outline;
  const headers: number[] = [];
  for (let s = scopeOf[line] ?? 0; s > 0; s = scopes[s]?.parent ?? 0) {
    const scope = scopes[s];
    if (scope === undefined || scope.start <= body.headerStart) break;
    if (scope.headerEnd - scope.start < 4) headers.push(...range(scope.start, Math.max(scope.start, scope.headerEnd)));
  }
  return headers;
}

/** A gap of one line costs the reader more than its tokens. */
function fill(lines: readonly number[], kept: Set<number>, add: (wanted: readonly number[]) => boolean): void {
  for (const i of lines) {
    if (kept.has(i) || !kept.has(i - 1)) continue;
    for (let n = 1; n <= FILL_LINES; n++) if (kept.has(i + n)) add(range(i, i + n - 1));
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);
}
