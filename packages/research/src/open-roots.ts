// The corpora of the roots of one question, and what is missing from them, in words.
import { scanWords, termsOf } from "@jeeves/prune/text";
import { runRipgrep, treeArguments } from "./catalog/ripgrep.ts";
import type { Corpus } from "./corpus/corpus.ts";
import type { CorpusLease } from "./corpus/corpus-keeper.ts";
import { type ExactHits, searchExact } from "./exact/exact-search.ts";
import { ResearchError } from "./research-error.ts";
import type { ResearchRoot } from "./roots.ts";
import type { Question } from "./words/question.ts";

/** A root with its corpus and the places of the question's literals. */
export interface OpenedRoot {
  readonly root: ResearchRoot;
  readonly corpus: Corpus;
  /** Where the literals of the question stand, in files of every size and kind. */
  readonly exact: ExactHits;
  /** Too large for the corpus. */
  readonly largeFiles: readonly string[];
  /** How many are not in the corpus for their kind, size or name. */
  readonly unreadFiles: number;
}

/** The roots that could be opened, and what is missing. */
interface OpenedRoots {
  readonly opened: readonly OpenedRoot[];
  /** "" when everything could be looked at. */
  readonly gap: string;
}

/** Opens each root in turn. A root that is gone becomes part of `gap`; the only root rejects with `root_unavailable`. */
export async function openRoots(
  roots: readonly ResearchRoot[],
  question: Question,
  options: {
    readonly keeper: Pick<CorpusLease, "open">;
    readonly deny: readonly string[];
    readonly signal: AbortSignal;
    readonly scanUntil: number;
  },
): Promise<OpenedRoots> {
  const opened: OpenedRoot[] = [];
  const gaps: string[] = [];
  for (const root of roots) {
    const searching = searchExact(root.path, question.literals, options);
    searching.catch(() => {}); // a missing root is reported below
    try {
      const found = await options.keeper.open(root.path, {
        signal: options.signal,
        scanUntil: options.scanUntil,
        prefer: async (paths) => {
          const { places } = await searching;
          return places.size > 0 ? holdersOf(places) : preferred(root.path, paths, question, options);
        },
      });
      opened.push({ root, ...found, exact: await searching });
      if (found.unscannedFiles > 0)
        gaps.push(
          `looked into ${found.listedFiles - found.unscannedFiles} of ${found.listedFiles} files: limits may have truncated the result`,
        );
      if (found.listTruncated) gaps.push("too many files; limits may have truncated the result");
    } catch (error) {
      if (!(error instanceof ResearchError) || error.code !== "root_unavailable" || roots.length === 1) throw error;
      gaps.push(`root ${root.label} is not there`);
    }
  }
  return { opened, gap: gaps.join("; ") };
}

/** Files that hold what the question spells out: the rarer it is, the more that counts. */
function holdersOf(places: ExactHits["places"]): ReadonlyMap<string, number> {
  const weight = new Map<string, number>();
  for (const files of places.values())
    for (const path of files.keys()) weight.set(path, (weight.get(path) ?? 0) + 1 / files.size);
  return weight;
}

const MIN_WORD_CHARS = 4;
const MAX_WORDS = 12;
const MAX_COUNT_CHARS = 64_000_000;

/** Files whose path or text has words of the question: in a repository too large to scan in time, these come first. */
async function preferred(
  root: string,
  paths: readonly string[],
  question: Question,
  { deny, signal }: { readonly deny: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const weight = new Map<string, number>();
  const words = question.terms
    .filter(({ term, isWhole, weight: w }) => w >= 1 && !isWhole && term.length >= MIN_WORD_CHARS)
    .map(({ term }) => term);
  const asked = new Set(words);
  for (const path of paths) {
    let hits = 0;
    scanWords(path, 0, path.length, (word) => {
      for (const term of termsOf(word)) if (asked.has(term)) hits++;
    });
    if (hits > 0) weight.set(path, hits * 2);
  }
  const patterns = [...question.identifiers, ...words].slice(0, MAX_WORDS);
  if (patterns.length === 0) return weight;
  const args = [
    "--count-matches",
    "--null",
    ...treeArguments(root, deny),
    "-i",
    "-F",
    "--max-filesize",
    "1M",
    "--max-count",
    "50",
  ];
  for (const path of await countMatches(root, [...args, ...patterns.flatMap((word) => ["-e", word])], signal))
    weight.set(path.path, (weight.get(path.path) ?? 0) + Math.log2(1 + path.count));
  return weight;
}

async function countMatches(
  root: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly count: number }[]> {
  const counts: { path: string; count: number }[] = [];
  await runRipgrep(root, args, {
    signal,
    maxChars: MAX_COUNT_CHARS,
    onLine(line) {
      const [path, count] = line.split("\0");
      if (path !== undefined && count !== undefined)
        counts.push({ path: path.replace(/^\.\//, ""), count: Number(count) || 0 });
      return true;
    },
  });
  return counts;
}
