// The engine's scores without a cut: the scopes of one text and how well each line answers the focus, for callers that choose
// among several texts. Same segmenters and rankers as prune().
import { sniffKind } from "./kind.ts";
import type { Outline } from "./outline/outline.ts";
import type { Grammars } from "./outline/syntax.ts";
import { loadLearnedRanker } from "./rank/learned/load-ranker.ts";
import { createHandSetRanker } from "./rank/score.ts";
import { segment } from "./segment.ts";
import { parseFocus } from "./text/focus.ts";
import { knownLines } from "./text/known-texts.ts";
import type { LineTable } from "./text/lines.ts";

/** What a text is scored for. Only `focus` is required. */
export interface ScoreLinesOptions {
  /** What the reader wants to know. */
  readonly focus: string;
  /** The text's path, to guess its kind and language by; it is never opened. */
  readonly path?: string;
  /** Grammars for code, from `@jeeves/prune/grammars`; default: scopes by indentation. */
  readonly grammars?: Grammars;
  /** Polled; true ends the work with an AbortError. */
  readonly shouldStop?: () => boolean;
}

/** The scopes of a text, and how well each of its lines answers the focus. */
export interface ScoredLines {
  readonly table: LineTable;
  readonly outline: Outline;
  /** Per line 0..1, as a share of the text's best line. */
  readonly scores: Float64Array;
  /** Per line the chance that it belongs to the answer, comparable between texts. */
  readonly chances: Float64Array;
  /** Share of the focus, 0..1, that the best scope covers. */
  readonly coverage: number;
}

/** The scoring itself; callers outside of the package use the `scoreLines` of load-prune.ts, which loads it. */
export async function scoreLines(text: string, options: ScoreLinesOptions): Promise<ScoredLines> {
  const table = knownLines(text);
  const { shouldStop = () => false } = options;
  const poll = (): void => {
    if (shouldStop()) throw new DOMException("the work was stopped", "AbortError");
  };
  const kind = sniffKind(table, options.path, poll);
  const grammars = options.grammars;
  const loading = kind === "code" ? loadLearnedRanker() : createHandSetRanker();
  const outline = await segment(table, { kind, path: options.path, grammars, shouldStop });
  poll();
  const ranking = (await loading).rank({ table, focus: parseFocus(options.focus), outline, poll });
  const chances = ranking.chances ?? ranking.scores.map((score) => score * ranking.coverage);
  return { table, outline, scores: ranking.scores, chances, coverage: ranking.coverage };
}
