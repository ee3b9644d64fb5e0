// The engine's opinion without a cut: the scopes of one text and how well each line answers the focus, for callers that
// choose among several texts. Same segmenters, same ranker as prune(); nothing is dropped here.
import { sniffKind } from "./kind.ts";
import type { Outline } from "./outline/outline.ts";
import type { Grammars } from "./outline/syntax.ts";
import { loadLearnedRanker } from "./rank/learned/load-ranker.ts";
import { createHandSetRanker } from "./rank/score.ts";
import { segment } from "./segment.ts";
import { parseFocus } from "./text/focus.ts";
import { knownLines } from "./text/known-texts.ts";
import type { LineTable } from "./text/lines.ts";

/** The question, and what is known about the text. */
export interface ScoreLinesOptions {
  readonly focus: string;
  readonly path?: string;
  readonly grammars?: Grammars;
  /** Polled; true ends the work with an AbortError. */
  readonly shouldStop?: () => boolean;
}

/** One text with its scopes and, per line, how well it answers. */
export interface ScoredLines {
  readonly table: LineTable;
  readonly outline: Outline;
  /** 0..1 of the text's best line. */
  readonly scores: Float64Array;
  /** The chance that a line belongs to the answer, comparable between texts. */
  readonly chances: Float64Array;
  /** Share of the focus that the best scope covers. */
  readonly coverage: number;
}

/** Scores every line of a text for a focus. */
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
