// Which cut of a text is shown: each candidate is measured against what the client would show without us, and the policy
// takes one or none.
import {
  estimateTokens,
  type LineTable,
  lineAt,
  type Pruned,
  renderedLength,
  shortMarker,
  WHY,
  type Why,
} from "@jeeves/prune";
import type { CutRequest } from "./cut-request.ts";
import type { MadeCut, NoCut } from "./make-cut.ts";
import type { CutForm } from "./meter/meter.ts";
import { isAnyVisible, type MadeVisible } from "./meter/meter-input.ts";
import type { Candidate } from "./policy/policy.ts";
import type { Rerun } from "./rerun/cut-rerun.ts";
import { RESERVED_CHARS } from "./show/fit-to-client.ts";
import { keptTokensOf, type Measured, rawTokensOf } from "./show/measure.ts";
import { withoutSeen } from "./without-seen.ts";

interface CutCandidate extends Candidate {
  readonly pruned: Pruned;
  readonly note?: string;
}

const NO_GAIN: NoCut = { reason: "no_gain" };
/** A shorter line may occur anywhere in a text by chance. */
const MIN_TELLING_CHARS = 8;

/** Samples of the numbers before kept lines. */
const NUMBERS = [97, 512, 1_024, 2_048].map((line) => `${line}│ `).join("\n");

/** What the client would show of the text, and what that costs. */
export interface BareView {
  readonly text: string;
  readonly tokens: number;
}

/** The cut to show, or why there is none. */
export function chooseCut(
  request: CutRequest,
  {
    measured,
    bare,
    made,
    rerun,
  }: {
    readonly measured: Measured;
    readonly bare: BareView;
    readonly made: MadeCut | NoCut;
    readonly rerun?: Rerun | undefined;
  },
): MadeCut | NoCut {
  if (!("pruned" in made)) return made;
  const { policy } = request;
  if (policy.isOrder) return made; // nothing is weighed
  const { table } = measured;
  const visibleIn = (pruned: Pruned) => linesMadeVisible(table, pruned, bare.text);
  // A list of matches was weighed when it was made.
  if (made.matches !== undefined) {
    const named = bare.text.length < table.text.length ? made.matches.named : 0;
    const { failures, answers } = visibleIn(made.pruned);
    return { ...made, madeVisible: { failures, answers: answers + named } };
  }
  const ways = [
    ...(rerun === undefined ? [] : waysOfRerun(request, measured, rerun)),
    ...waysOf(request, measured, made.pruned, bare),
  ];
  const chosen =
    policy.choose(bare.tokens, ways) ??
    ways.find((one) => one.way === "engine" && isWorthShowing(one, bare, visibleIn));
  if (chosen === undefined) return NO_GAIN;
  const { way, pruned, note } = chosen;
  const risk = policy.riskOf?.(chosen);
  const about = { ...(risk === undefined ? {} : { risk }), ...(note === undefined ? {} : { note }) };
  return { pruned, way, madeVisible: visibleIn(pruned), ...about };
}

function waysOf(request: CutRequest, measured: Measured, pruned: Pruned, bare: BareView): CutCandidate[] {
  const { table } = measured;
  // Where the client numbers lines, kept lines cost more by the same share; our own numbers come on top of that.
  const numbering = Math.max(1, bare.tokens / Math.max(1, rawTokensOf(measured)));
  const perLine = request.form?.lineNumbers === true ? estimateTokens(NUMBERS) / NUMBERS.split("\n").length : 0;
  const toWay = (way: CutForm, one: Pruned): CutCandidate => {
    const kept = keptTokensOf(measured, one.blocks, shortMarker) * numbering;
    const lines = table.count - one.blocks.reduce((sum, { lineCount }) => sum + lineCount, 0);
    return { way, pruned: one, tokens: Math.ceil(kept + perLine * lines) };
  };
  const { asOutline } = pruned;
  const unseen = request.seen && withoutSeen(table, pruned, request.seen);
  return [
    ...(pruned.status === "pruned" && hasLines(pruned) ? [toWay("engine", pruned)] : []),
    ...(asOutline !== undefined && hasLines(asOutline) ? [toWay(wayOf(asOutline), asOutline)] : []),
    ...(unseen === undefined ? [] : [toWay("unseen", unseen)]),
  ];
}

/** A log has no headers to list. */
function wayOf({ kind }: Pruned): CutForm {
  return kind === "logs" ? "short" : "outline";
}

/** without the failures that are as before, the rest cut or as it is. */
function waysOfRerun({ room }: CutRequest, measured: Measured, { cut, rest, note }: Rerun): CutCandidate[] {
  const toWay = (way: CutForm, pruned: Pruned): CutCandidate => {
    const tokens = keptTokensOf(measured, pruned.blocks, shortMarker) + estimateTokens(note);
    return { way, pruned, note, tokens };
  };
  const chars = renderedLength(measured.table, rest, shortMarker) + note.length + RESERVED_CHARS;
  return [
    ...(hasLines(cut) ? [toWay("engine", cut)] : []),
    ...(hasLines(rest) && chars <= (room?.maxChars ?? chars) ? [toWay("unseen", rest)] : []),
  ];
}

/** Where no line is left, as of one endless line, the cut answers nothing and the whole would be asked for at once. */
function hasLines({ kept }: Pruned): boolean {
  return kept.some((why) => why !== 0);
}

interface Visible extends MadeVisible {
  /** Lines that are neither: that only mention trouble, and at the end of the output. */
  readonly mentions: number;
  readonly ends: number;
}

/**
 * a cut that shows more than the client would is worth it only for lines of (possible) failures and answers; one that
 * shows less also for the end of an output that the client would hide.
 */
function isWorthShowing(
  { pruned, tokens }: CutCandidate,
  bare: BareView,
  visibleIn: (pruned: Pruned) => Visible,
): boolean {
  const visible = visibleIn(pruned);
  return isAnyVisible(visible) || visible.mentions > 0 || (visible.ends > 0 && tokens < bare.tokens);
}

/** of the lines that tell a failure, an answer or an end, how many the client would not have shown. */
function linesMadeVisible(table: LineTable, { kept, match, blocks }: Pruned, bare: string): Visible {
  const lines = { failures: 0, answers: 0, mentions: 0, ends: 0 };
  if (bare.length >= table.text.length) return lines;
  const isCutInside = new Set(blocks.flatMap(({ chars, startLine }) => (chars === undefined ? [] : [startLine - 1])));
  for (let index = 0; index < kept.length; index++) {
    const kind = kindOf(WHY[(kept[index] ?? 0) - 1], match === "clear");
    if (kind === undefined) continue;
    const line = lineAt(table, index).trim();
    if (isCutInside.has(index)) {
      // Of a line that is shown in parts, its last part counts: clients show beginnings.
      const last = blocks.findLast(({ chars, startLine }) => chars !== undefined && startLine === index + 1)?.chars;
      const rest = table.text.slice(last?.endChar, table.starts[index + 1]).trim();
      if (rest.length >= MIN_TELLING_CHARS && !bare.includes(rest)) lines[kind]++;
    } else if (line.length >= MIN_TELLING_CHARS && !bare.includes(line)) lines[kind]++;
  }
  return lines;
}

/** How a run ended answers the call that ran it; other lines answer where the match is clear. */
function kindOf(why: Why | undefined, isClear: boolean): keyof Visible | undefined {
  if (why === "error") return "failures";
  if (why === "outcome" || (isClear && (why === "evidence" || why === "end"))) return "answers";
  if (why === "mention") return "mentions";
  return why === "end" ? "ends" : undefined;
}
