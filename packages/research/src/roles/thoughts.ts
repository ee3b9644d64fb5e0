// The history of an answer, from a directory of notes (`thoughts`), where one is configured (C-26).
import type { CorpusLease } from "../corpus/corpus-keeper.ts";
import { searchExact } from "../exact/exact-search.ts";
import { toQuote } from "../report/quote.ts";
import type { ResearchRoot } from "../roots.ts";
import type { Reader } from "../runtime/reader.ts";
import type { Question } from "../words/question.ts";
import { locate } from "./locator.ts";

interface ThoughtsOptions {
  readonly keeper: Pick<CorpusLease, "open">;
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly deny: readonly string[];
}

const MAX_NOTES = 2;
const SCAN_MS = 5_000;

/** One line of each of the best two notes, as `history: root/path:line: quote`. */
export async function historyOf(root: ResearchRoot, question: Question, options: ThoughtsOptions): Promise<string[]> {
  const opening = { signal: options.signal, scanUntil: performance.now() + SCAN_MS, prefer: async () => new Map() };
  const { corpus } = await options.keeper.open(root.path, opening);
  const exact = await searchExact(root.path, question.literals, options);
  const { files } = await locate([{ root, corpus, exact, largeFiles: [], unreadFiles: 0 }], question, {
    ...options,
    maxFiles: MAX_NOTES,
    maxReferences: MAX_NOTES,
    gap: "",
    roots: [root],
  });
  return files.flatMap(({ path, lines: [line] }) =>
    line === undefined ? [] : [`history: ${root.label}/${path}:${line.line}: ${toQuote(line.text, 80)}`],
  );
}
