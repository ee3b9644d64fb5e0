// The engine: text and focus in, kept lines and blocks out. It runs segment → score → support → select and guarantees what
// holds for all of them: it fails for no text, its result is never longer than the text (except under a ratio), and it gives
// a reason where nothing was dropped.
import { checkArguments } from "./check-arguments.ts";
import { sniffKind } from "./kind.ts";
import { findFailures } from "./logs/failures.ts";
import { readsLikeLog } from "./logs/output-stretches.ts";
import { readLog } from "./logs/read-log.ts";
import type { SourceKind } from "./outline/extensions.ts";
import type { Grammars } from "./outline/syntax.ts";
import { blocksOf, type Pruned } from "./pruned.ts";
import { loadLearnedRanker } from "./rank/learned/load-ranker.ts";
import { trainedFor, type Use } from "./rank/learned/use.ts";
import { type Ranker, type Ranking, WEAK_COVERAGE } from "./rank/score.ts";
import { renderedLength, shortMarker } from "./render.ts";
import { segment } from "./segment.ts";
import { type Amount, FLOOR_CHARS, keepAuto, keepRatio, keepShare, mayDrop } from "./select/amount.ts";
import { addDefinitions } from "./select/definitions.ts";
import { markDirectives } from "./select/directives.ts";
import { addImports } from "./select/imports.ts";
import { keepOutline, type OutlineAmount } from "./select/outline-first.ts";
import { protectFrame, protectHeadings, protectSolid } from "./select/protect.ts";
import { keptLines, type Selection } from "./select/select.ts";
import { WHY } from "./select/why.ts";
import { findJson, findShape } from "./shapes/find-shape.ts";
import type { Shape } from "./shapes/shape.ts";
import { rankerOf } from "./shapes/shape-ranker.ts";
import { parseFocus } from "./text/focus.ts";
import { withoutGutter } from "./text/gutter.ts";
import { knownLines } from "./text/known-texts.ts";
import type { LineTable } from "./text/lines.ts";
import { withoutMargin, withoutPrefixes } from "./text/prefixes.ts";
import { movedBy, rowsAt, toLines } from "./to-lines.ts";

/** What to keep of a text, and how much. Only `focus` is required. */
export interface PruneOptions {
  /** What the reader wants to know, a question or keywords; "" where that is unknown. */
  readonly focus: string;
  /** What the text is; default: by its path and its lines. */
  readonly kind?: SourceKind;
  /** The text's path, to guess its kind and language by; it is never opened. */
  readonly path?: string;
  /** What the text is wanted for; default: the focus is a question about it, or an issue where it is as long as one. */
  readonly use?: Use;
  /** How much to keep; default: `auto`, as much as the engine finds useful. */
  readonly amount?: Amount;
  /** Also makes an outline of the text, or a short form of a log, from the same scores (`Pruned.asOutline`). */
  readonly outline?: OutlineAmount;
  /** K-28: every import, every header and the file's header comment stay. */
  readonly protectFrame?: boolean;
  /** A line that is too long for one may be cut inside: its blocks have `chars`. Default: lines are kept or dropped whole. */
  readonly insideLines?: boolean;
  /** 0-based lines at which a new part starts; no block spans one. */
  readonly barriers?: readonly number[];
  /** Grammars for code, from `@jeeves/prune/grammars`; default: scopes by indentation. */
  readonly grammars?: Grammars;
  /** Polled; true ends the work with status "stopped" and nothing dropped. */
  readonly shouldStop?: () => boolean;
  /** Replaces the engine's own rankers. */
  readonly ranker?: Ranker;
}

const END = WHY.indexOf("end") + 1;
/** About 6,000 tokens. */
const GUESS_MIN_CHARS = 20_000;
const FIT_TRIES = 3;
const SHARE_TRIES = 8;
const LESS = 0.97;
/** JSON of fewer lines is not a log. */
const LOG_LINES = 8;
/**
 * The trees take longer than everything else that is done with a log; in a longer one what matters is found by rule.
 */
const MOST_LEARNED_LINES = 5_000;
/** Work is counted, never timed, so that the result is the same on a busy machine. Usual texts need a tenth of this. */
const MAX_POLLS = 1_000;
const MAX_POLLS_PER_LINE = 1;
/** An endless line is as much work as many short ones. */
const CHARS_PER_POLL = 64;

/** The engine itself; callers outside of the package use the `prune` of load-prune.ts, which loads it. */
export async function prune(whole: string | LineTable, options: PruneOptions): Promise<Pruned> {
  checkArguments(whole, options);
  const text = typeof whole === "string" ? whole : whole.text;
  const bare = options.kind === "logs" || options.kind === "matches" ? undefined : withoutGutter(text);
  if (bare === undefined) return pruneLines(knownLines(whole), options);
  const { amount } = options;
  const table = knownLines(bare);
  // The line numbers are shown again.
  const isBound = amount?.mode === "auto" && amount.maxChars !== undefined;
  const own = isBound ? { amount: { ...amount, maxChars: scaled(amount.maxChars ?? 0, bare, text) } } : {};
  const pruned = await pruneLines(table, { ...options, ...own });
  return movedBy(pruned, table, knownLines(whole));
}

async function pruneLines(table: LineTable, options: PruneOptions): Promise<Pruned> {
  const { shouldStop = () => false } = options;
  const maxPolls = MAX_POLLS + table.count * MAX_POLLS_PER_LINE + table.text.length / CHARS_PER_POLL;
  let polls = 0;
  const poll = (): void => {
    if (++polls > maxPolls || shouldStop()) throw new Stopped();
  };
  let kind = options.kind ?? "code";
  const whole: Whole = (status, note, match = "none") => ({
    status,
    kind,
    lineCount: table.count,
    kept: new Uint8Array(table.count).fill(WHY.indexOf("fill") + 1),
    blocks: [],
    match,
    note,
  });
  const { grammars, missing } = noteMissing(options.grammars);
  try {
    const bare = options.kind === "matches" ? table : (withoutPrefixes(table) ?? table);
    const hasPrefixes = bare !== table;
    const reading = { table, insideLines: options.insideLines === true, hasPrefixes, poll };
    const json = options.kind === "logs" || options.kind === "matches" ? undefined : findJson(reading);
    // A log is recognised by its lines, whatever it is wrapped in.
    const isJson = json !== undefined && !(table.count >= LOG_LINES && readsLikeLog(bare, poll));
    kind = options.kind ?? (isJson ? "code" : kindOf(table, bare, options.path, poll));
    const shape = (isJson ? json : undefined) ?? findShape(reading, kind, options.path);
    // A log is only the last guess of the kind; one endless line is not a log.
    if (shape?.name === "packed" && kind === "logs" && options.kind === undefined) kind = "docs";
    const pruned = await pruneTable(table, kind, { ...options, ...grammars, shouldStop, poll, bare, shape }, whole);
    const [withoutGrammar] = missing;
    return withoutGrammar === undefined ? pruned : { ...pruned, withoutGrammar };
  } catch (error) {
    if (error instanceof Stopped) return whole("stopped", "stopped");
    // A bug in the engine must not cost the reader the text.
    return whole("whole", "engine_error");
  }
}

/**
 * Grammars that never reject, and the languages without one: these are read by indentation, which the result reports.
 */
function noteMissing(given: Grammars | undefined): { grammars?: { grammars: Grammars }; missing: readonly string[] } {
  const missing: string[] = [];
  if (given === undefined) return { missing };
  const load: Grammars["load"] = async (language) => {
    const grammar = await given.load(language).catch(() => undefined);
    if (grammar === undefined) missing.push(language);
    return grammar;
  };
  return { grammars: { grammars: { load } }, missing };
}

type Whole = (status: "whole" | "stopped", note: string, match?: Pruned["match"]) => Pruned;

/** Ends the work wherever it is; caught in this file. */
class Stopped extends Error {}

/**
 * The kind of a text. Prefixes of lines are removed to see it, except for match lists, which are recognised by them.
 */
function kindOf(table: LineTable, bare: LineTable, path: string | undefined, poll: () => void): SourceKind {
  const kind = sniffKind(table, path, poll);
  if (kind === "matches" || kind === "logs") return kind;
  const plain = withoutMargin(bare);
  return plain === table ? kind : sniffKind(plain, path, poll);
}

interface Stops {
  readonly shouldStop: () => boolean;
  /** Throws where the work is to end. */
  readonly poll: () => void;
  /** The lines as the program printed them, without what another one put before each. */
  readonly bare: LineTable;
  /** How the text is read instead of by its lines. */
  readonly shape: Shape | undefined;
}

async function pruneTable(
  lines: LineTable,
  kind: SourceKind,
  options: PruneOptions & Stops,
  whole: Whole,
): Promise<Pruned> {
  const amount = options.amount ?? { mode: "auto" };
  const { shouldStop, poll, shape } = options;
  const table = shape?.rows ?? lines;
  const bare = table === lines ? options.bare : table;
  if (table.count === 0) return whole("whole", "empty");
  if (amount.mode === "ratio" && amount.minKeepLines > table.count) return whole("whole", "constraints_unmet");
  const focus = parseFocus(options.focus);
  // Questions were learned about code alone. The weights are read while the first grammar is.
  const use = options.use ?? "question";
  const isOwnUse = use !== "question" && table.count <= MOST_LEARNED_LINES;
  const isLearned = shape === undefined && (kind === "code" || isOwnUse);
  const loading =
    options.ranker ?? (isLearned ? loadLearnedRanker(trainedFor(options.use, options.focus)) : rankerOf(shape));
  const outline =
    shape?.outline ?? (await segment(table, { kind, path: options.path, grammars: options.grammars, shouldStop }));
  poll();
  const barriers = new Set(shape === undefined ? options.barriers : rowsAt(table, lines, options.barriers));
  const isBarrier = (line: number): boolean => barriers.has(line);
  const must = new Uint8Array(table.count);
  let ranking: Ranking = (await loading).rank({ table, focus, outline, poll });
  poll();
  let repeatOf: Int32Array | undefined;
  const reading = { focus, isOrder: amount.mode === "ratio", poll, ...roomIn(bare, table, amount) };
  if (kind === "logs") {
    const isSearch = use === "search";
    const log = readLog(shape === undefined ? withoutMargin(bare) : bare, ranking.scores, {
      ...reading,
      barriers: options.barriers ?? [],
      isSearch,
    });
    // What repeats is known to the trees for a search, and the rows of a table are alike.
    const isList = shape?.isList === true;
    if (!isList && (!isSearch || !isLearned)) ranking = { ...ranking, scores: log.scores };
    must.set(isList ? log.must.map((why) => (why === END ? 0 : why)) : log.must);
    if (!isList) repeatOf = log.repeatOf;
  }
  if (kind !== "logs") {
    const failed = findFailures(bare, outline, { ...reading, kind });
    if (failed !== undefined) must.set(failed);
  }
  for (const row of shape?.frame ?? []) must[row] ||= WHY.indexOf("header") + 1;
  if (kind === "docs") protectHeadings(table, outline, { must, isOrder: amount.mode === "ratio" });
  // On top of what the amount chooses (K-28), so that a frame of many headers leaves room for what was asked.
  const frame = new Uint8Array(table.count);
  if (kind === "code" && options.protectFrame === true) protectFrame(table, outline, frame);
  markDirectives(table, must);
  protectSolid(outline, must);
  const { coverage, cutOff } = ranking;
  const match: Pruned["match"] = coverage >= WEAK_COVERAGE ? "clear" : coverage > 0 ? "weak" : "none";
  // A question without an answer: a wrong guess at what matters costs more than a text of this size.
  const isGuess = match === "none" && kind !== "logs" && options.focus.trim() !== "";
  const fits =
    amount.mode === "auto" &&
    shape === undefined &&
    table.text.length <= Math.min(GUESS_MIN_CHARS, amount.maxChars ?? Infinity);
  const selection: Selection = { table, outline, scores: ranking.scores, must, isBarrier, poll };
  const language = outline.language;
  const toPruned = (kept: Uint8Array): Pruned => {
    const holds = shape?.holds;
    const context = { table, outline, isBarrier, ...(repeatOf && { repeatOf }), ...(holds && { holds }) };
    const pruned: Pruned = {
      status: "pruned",
      kind,
      ...(language === undefined ? {} : { language }),
      lineCount: table.count,
      kept,
      blocks: blocksOf(kept, context),
      match,
    };
    return toLines(pruned, table, lines);
  };
  const asOutline = outlineOf();
  if (isGuess && fits) return { ...whole("whole", "no_match"), ...asOutline };
  let asked: Amount = amount;
  for (let tries = 0; ; tries++) {
    const kept = keep(selection, asked, { cutOff, floorChars: kind === "logs" ? 0 : FLOOR_CHARS });
    poll();
    if (kind === "code" && shape === undefined && asked.mode === "auto" && match !== "none") {
      addDefinitions(selection, kept, asked.maxChars);
      addImports(selection, kept, asked.maxChars);
    }
    for (let i = 0; i < table.count; i++) if (kept[i] === 0) kept[i] = frame[i] ?? 0;
    if (keptLines(kept) === table.count) return { ...whole("whole", "all_kept", match), ...asOutline };
    const pruned = toPruned(kept);
    // A ratio is an order about lines and is obeyed whatever the markers cost.
    if (asked.mode === "ratio") return pruned;
    const shownChars = renderedLength(lines, pruned, shortMarker);
    const over = asked.mode === "auto" && amount.mode === "auto" ? shownChars - (amount.maxChars ?? shownChars) : 0;
    if (over > 0 && tries < FIT_TRIES && asked.mode === "auto") {
      // Real markers may be longer than what a marker is charged in general.
      asked = { ...asked, maxChars: Math.max(0, (asked.maxChars ?? shownChars) - over) };
      continue;
    }
    // Markers of shapes are longer, because they name what they stand for.
    const most = amount.mode === "share" && amount.isLeast !== true ? amount.keep * lines.text.length : shownChars;
    if (shape !== undefined && shownChars > most && asked.mode === "share" && tries < SHARE_TRIES) {
      asked = { ...asked, keep: asked.keep * Math.min(LESS, most / shownChars) };
      continue;
    }
    // Never larger than raw.
    return { ...(shownChars >= table.text.length ? whole("whole", "no_gain", match) : pruned), ...asOutline };
  }

  function outlineOf(): Pick<Pruned, "asOutline"> {
    const kept = options.outline === undefined ? undefined : keepInOutline(options.outline);
    if (kept === undefined) return {};
    const outlined = toPruned(kept);
    poll();
    return outlined.blocks.length === 0 ? {} : { asOutline: outlined };
  }

  function keepInOutline(amount: OutlineAmount): Uint8Array | undefined {
    if (kind === "matches") return undefined;
    if (kind !== "logs") return keepOutline(selection, amount);
    return amount.keepOfLog === undefined ? undefined : keepShare(selection, { mode: "share", keep: amount.keepOfLog });
  }
}

/** The room for a text without its prefixes, which are shown again. */
function roomIn(bare: LineTable, table: LineTable, amount: Amount): { readonly maxChars?: number } {
  if (amount.mode !== "auto" || amount.maxChars === undefined) return {};
  return { maxChars: bare === table ? amount.maxChars : scaled(amount.maxChars, bare.text, table.text) };
}

function scaled(maxChars: number, bare: string, whole: string): number {
  return Math.floor((maxChars * bare.length) / whole.length);
}

function keep(selection: Selection, amount: Amount, auto: { cutOff: number; floorChars: number }): Uint8Array {
  if (amount.mode === "share") return keepShare(selection, amount);
  if (amount.mode === "auto") return keepAuto(selection, auto, amount);
  const lines = selection.table.count;
  return keepRatio(
    selection,
    Math.max(lines - mayDrop(lines, amount.maxPruneRatio), Math.min(lines, amount.minKeepLines)),
  );
}
