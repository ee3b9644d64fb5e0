// Which lines of the ranked bodies to show for a number of tokens. A line is worth the chance that its body answers, times
// its share of what answers inside the body; what is worth most for its tokens is bought first. Short bodies are bought
// whole, of long ones the best statements with the headers that these stand under. A line is never shown twice.
import { estimateTokens, lineAt, ROLE } from "@jeeves/prune";
import type { RankedBody } from "./choose-bodies.ts";

/** A body, and which of its lines are shown. */
interface ShownBody {
  readonly body: RankedBody;
  /** 0-based, in order. */
  readonly lines: readonly number[];
}

/** Some lines of one body that are bought together, after the parts before it. */
interface Part {
  readonly body: RankedBody;
  readonly lines: readonly number[];
  readonly cost: number;
  readonly worth: number;
}

/** So many of the best bodies are looked at. */
const MAX_BODIES = 48;
/** Scores differ by so much where one body is e times as likely as the other to answer. */
const SCORE_SCALE = 0.7;
/** A body of so many tokens is shown whole or not at all. */
const WHOLE_TOKENS = 100;
/** So many lines answer a question; a shorter body cannot have them all. */
const ANSWER_LINES = 9;
/** How much of a line's worth does not depend on how well it matches the question. */
const EVEN_SHARE = 0.3;
/** What a file costs, and a gap. */
const FILE_TOKENS = 24;
const GAP_TOKENS = 2;
const REST_WORTH = 0.5;
const MAX_STATEMENT_LINES = 14;
const MAX_DOC_LINES = 1;
const LEAST_TOKENS = 12;

/** Chooses lines for about so many tokens, by the engine's estimate: bodies best first, the lines of each in order. */
export function spend(bodies: readonly RankedBody[], tokens: number): ShownBody[] {
  const [best] = bodies;
  if (best === undefined) return [];
  const parts = known.get(bodies) ?? partsOfAll(bodies, best);
  known.set(bodies, parts);
  const bought = new Map<RankedBody, number[]>();
  const closed = new Set<RankedBody>();
  const files = new Set<string>();
  let left = tokens;
  for (const { body, lines, cost } of parts) {
    if (left < LEAST_TOKENS) break;
    const isKnown = files.has(fileOf(body));
    const price = cost + (bought.has(body) ? 0 : isKnown ? GAP_TOKENS : FILE_TOKENS);
    if (closed.has(body) || price > left) {
      closed.add(body); // what comes later rests on this
      continue;
    }
    left -= price;
    files.add(fileOf(body));
    bought.set(body, [...(bought.get(body) ?? []), ...lines]);
  }
  return bodies.flatMap((body) => {
    const lines = bought.get(body);
    return lines === undefined ? [] : [{ body, lines: lines.sort((a, b) => a - b) }];
  });
}

/** An answer is fitted into its budget in several tries, with the same parts. */
const known = new WeakMap<readonly RankedBody[], readonly Part[]>();

function partsOfAll(bodies: readonly RankedBody[], best: RankedBody): Part[] {
  return bodies
    .slice(0, MAX_BODIES)
    .flatMap((body) => partsOf(body, Math.exp((body.score - best.score) / SCORE_SCALE)))
    .sort((a, b) => b.worth / b.cost - a.worth / a.cost);
}

function fileOf({ file }: RankedBody): string {
  return `${file.root.label}\n${file.path}`;
}

/** What is bought of one body, best first: each part is worth less for its tokens than the one before. */
function partsOf(body: RankedBody, chance: number): Part[] {
  const lines = tellingLines(body);
  if (lines.length === 0) return [];
  const shares = sharesOf(body, lines);
  const most = chance * Math.min(1, lines.length / ANSWER_LINES) * (body.kind === "rest" ? REST_WORTH : 1);
  const toPart = (some: readonly number[]): Part => ({
    body,
    lines: some,
    cost: costOf(body, some),
    worth: most * some.reduce((sum, i) => sum + (shares.get(i) ?? 0), 0),
  });
  const whole = toPart(lines);
  if (whole.cost <= WHOLE_TOKENS && body.kind === "function") return [whole];
  return falling(statementsOf(body, lines, shares).map(toPart));
}

/** Parts joined until each is worth less for its tokens than the one before. */
function falling(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    let last = part;
    for (let before = joined.at(-1); before !== undefined; before = joined.at(-1)) {
      if (before.worth / before.cost > last.worth / last.cost) break;
      joined.pop();
      last = {
        body: part.body,
        lines: [...before.lines, ...last.lines],
        cost: before.cost + last.cost,
        worth: before.worth + last.worth,
      };
    }
    joined.push(last);
  }
  return joined;
}

/** A body's statements, best first, each with the headers above it that are not yet there; the first with the body's own. */
function statementsOf(body: RankedBody, lines: readonly number[], shares: ReadonlyMap<number, number>): number[][] {
  const { outline } = body.file.scored;
  const rest = new Set(lines);
  const take = (wanted: readonly number[]): number[] => wanted.filter((i) => rest.delete(i));
  const own = body.kind === "function" ? range(body.headerStart, Math.max(body.headerStart, body.headerEnd)) : [];
  const groups: number[][] = [];
  for (const i of [...lines].sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0) || a - b)) {
    if (!rest.has(i)) continue;
    const from = outline.unitStart[i] ?? i;
    const to = outline.unitEnd[i] ?? i;
    const statement = to - from < MAX_STATEMENT_LINES ? range(from, to) : [i];
    groups.push(take([...(groups.length === 0 ? own : []), ...headersAbove(body, i), ...statement]));
  }
  return groups;
}

/** The lines that tell something: not blank, not a bracket alone, and of the documentation the first. */
function tellingLines({ file, lines, headerStart, headerEnd }: RankedBody): number[] {
  const { table, outline } = file.scored;
  const inString = docstringOf(lines, headerEnd, (i) => lineAt(table, i));
  const isComment = (i: number): boolean => ((outline.role[i] ?? 0) & ROLE.comment) !== 0 || inString.has(i);
  let doc = 0;
  let inDoc = true;
  return lines.filter((i) => {
    if (/^[\s{}()[\];,]*$/.test(lineAt(table, i))) return false;
    if (i >= headerStart && i <= headerEnd) return true;
    if (i > headerEnd && !isComment(i)) inDoc = false;
    return !inDoc || !isComment(i) || (/\p{L}/u.test(lineAt(table, i)) && ++doc <= MAX_DOC_LINES);
  });
}

/** The lines of the string that Python documents a function with. */
function docstringOf(lines: readonly number[], headerEnd: number, textOf: (line: number) => string): Set<number> {
  const found = new Set<number>();
  const inside = lines.filter((i) => i > headerEnd);
  const quotes = /^\s*[rRuUbB]*("""|''')/.exec(textOf(inside[0] ?? -1))?.[1];
  if (quotes === undefined) return found;
  for (const [k, i] of inside.entries()) {
    found.add(i);
    const ends = textOf(i).split(quotes).length - 1;
    if (k === 0 ? ends > 1 : ends > 0) break;
  }
  return found;
}

/**
 * Each line's share of what the body has to say: by the engine's chance for it and its neighbours, and by where it stands.
 * Fitted on the bodies that answer 60 questions (bench/answers); what is above a function says least, its middle most.
 */
function sharesOf({ file, headerStart, start, end }: RankedBody, lines: readonly number[]): Map<number, number> {
  const { chances, outline } = file.scored;
  const worth = lines.map((i) => {
    let near = 0;
    for (let d = -3; d <= 3; d++) near += (chances[i + d] ?? 0) * (4 - Math.abs(d));
    const place = (i - start) / Math.max(1, end - start);
    const value =
      (near / 16 + LEAST_CHANCE) ** NEAR_POWER *
      ((chances[i] ?? 0) + LEAST_CHANCE) ** OWN_POWER *
      Math.exp(TOWARDS_END * place - FROM_MIDDLE * (place - 0.5) ** 2);
    const isComment = ((outline.role[i] ?? 0) & ROLE.comment) !== 0;
    return value * (isComment ? COMMENT : 1) * (i < headerStart ? ABOVE : 1);
  });
  const sum = worth.reduce((a, b) => a + b, 0);
  return new Map(
    lines.map((i, k) => [
      i,
      EVEN_SHARE / lines.length + (1 - EVEN_SHARE) * (sum > 0 ? (worth[k] ?? 0) / sum : 1 / lines.length),
    ]),
  );
}

const LEAST_CHANCE = 0.02;
const OWN_POWER = 0.5;
const NEAR_POWER = 0.8;
const TOWARDS_END = 0.5;
const FROM_MIDDLE = 2;
const COMMENT = 0.65;
const ABOVE = 0.15;

/** What lines cost as a part of a JSON text, with their numbers. */
function costOf({ file }: RankedBody, lines: readonly number[]): number {
  return lines.reduce((sum, i) => sum + lineCost(lineAt(file.scored.table, i)), 0);
}

const LINE_TOKENS = 2;
const QUOTE = /["\\]/g;

function lineCost(line: string): number {
  return LINE_TOKENS + estimateTokens(line) + (line.match(QUOTE)?.length ?? 0) * 0.5;
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

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);
}
