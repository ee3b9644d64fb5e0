// How the leading files relate to each other: definitions and their uses, imports, tests, equal names and directories.
// More signals, which count for the files after the first.
import type { Corpus } from "../corpus/corpus.ts";
import { wholeId } from "../words/term-ids.ts";
import type { Candidate } from "./signals.ts";

/** The names of a row's numbers, in their order. */
export const RELATIONS = [
  "definesUsed",
  "usesDefined",
  "nearest",
  "near",
  "nearFirst",
  "pairOfFirst",
  "pair",
  "siblings",
  "sameScope",
  "sameDirectory",
] as const;

const LEADERS = 8;
const DEFINERS = 5;
const MAX_DEFINITIONS = 8;
const MAX_USERS = 40;

/** `ordered` is best first, `scores` has the score of each. Candidates of different corpora have no relations. */
export function relationsOf(ordered: readonly Candidate[], scores: readonly number[]): Float64Array[] {
  const rows = ordered.map(() => new Float64Array(RELATIONS.length));
  const top = scores[0] ?? 0;
  const closeness = scores.map((score, i) => (i < 30 ? Math.exp(score - top) : 0));
  const rankOf = new Map<Corpus, Map<number, number>>();
  ordered.forEach(({ corpus, file }, i) => {
    const ranks = rankOf.get(corpus) ?? new Map<number, number>();
    rankOf.set(corpus, ranks.set(file, i));
  });
  const set = (i: number, relation: number, value: number): void => {
    const row = rows[i];
    if (row !== undefined) row[relation] = value;
  };
  const add = (i: number, relation: number, value: number): void =>
    set(i, relation, (rows[i]?.[relation] ?? 0) + value);

  ordered.slice(0, DEFINERS).forEach((leader, l) => {
    for (const [file, share] of namesUsedBy(leader)) {
      const i = rankOf.get(leader.corpus)?.get(file);
      if (i !== undefined) add(i, 0, ((closeness[l] ?? 0) * Math.min(3, share)) / 3);
    }
  });
  ordered.slice(0, 3).forEach((leader, l) => {
    for (const { id, share } of namesDefinedBy(leader)) {
      const count = leader.corpus.fileCount(id);
      ordered.forEach((other, i) => {
        if (other.corpus !== leader.corpus || other.file === leader.file || !mentions(other, id)) return;
        add(i, 1, ((closeness[l] ?? 0) * share) / Math.sqrt(count));
      });
    }
  });
  const leaders = ordered.slice(0, LEADERS).map((leader) => ({ leader, stem: stemOf(leader.path) }));
  const firstDir = dirOf(ordered[0]?.path ?? "");
  ordered.forEach((one, i) => {
    const { corpus, file, path } = one;
    const neighbours = new Set([...corpus.importsOf(file), ...corpus.importedBy(file)]);
    let nearest = 0;
    let near = 0;
    for (const neighbour of neighbours) {
      const rank = rankOf.get(corpus)?.get(neighbour);
      if (rank === undefined) continue;
      nearest = Math.max(nearest, closeness[rank] ?? 0);
      if (rank < 10) near += 1 / (1 + rank);
      if (rank === 0) set(i, 4, 1);
    }
    set(i, 2, nearest);
    set(i, 3, near / 3);
    const stem = stemOf(path);
    const isTest = corpus.file(file)?.isTest;
    leaders.forEach(({ leader, stem: leaderStem }, l) => {
      if (l === i || leaderStem !== stem || leader.corpus.file(leader.file)?.isTest === isTest) return;
      if (l === 0) set(i, 5, 1);
      set(i, 6, Math.max(rows[i]?.[6] ?? 0, closeness[l] ?? 0));
    });
    const dir = dirOf(path);
    const scope = scopeNameOf(one);
    let siblings = 0;
    let same = 0;
    for (const better of ordered.slice(0, Math.min(i, 12))) {
      if (dirOf(better.path) === dir) siblings++;
      if (scope !== "" && scopeNameOf(better) === scope) same++;
    }
    set(i, 7, Math.min(siblings, 6) / 6);
    set(i, 8, Math.min(same, 4) / 4);
    if (i > 0 && dir === firstDir) set(i, 9, 1);
  });
  return rows;
}

/** Best scopes first; equal ones in the order of the file. */
function bestScopes(candidate: Candidate, count: number): number[] {
  const { scopeScores } = candidate;
  return [...scopeScores.keys()].sort((a, b) => (scopeScores[b] ?? 0) - (scopeScores[a] ?? 0) || a - b).slice(0, count);
}

/** Files that define what the best scopes of a file mention, and how much of it. */
function namesUsedBy(candidate: Candidate): Map<number, number> {
  const { corpus, file, scopeScores } = candidate;
  const scanned = corpus.file(file)?.scanned;
  const shares = new Map<number, number>();
  if (scanned === undefined) return shares;
  const scopes = bestScopes(candidate, 4);
  const first = scopeScores[scopes[0] ?? 0] || 1;
  scopes.forEach((s, rank) => {
    const share = (scopeScores[s] ?? 0) / first / (1 + rank * 0.5);
    for (let r = scanned.rowStart[s] ?? 0; r < (scanned.rowStart[s + 1] ?? 0); r++) {
      const definers = corpus.definersOfId(scanned.rowTerm[r] ?? 0);
      if (definers.length > MAX_DEFINITIONS || definers.includes(file)) continue;
      for (const other of definers) shares.set(other, (shares.get(other) ?? 0) + share / definers.length);
    }
  });
  return shares;
}

function namesDefinedBy(candidate: Candidate): { readonly id: number; readonly share: number }[] {
  const { corpus, file, scopeScores } = candidate;
  const scopes = bestScopes(candidate, 3);
  const first = scopeScores[scopes[0] ?? 0] || 1;
  return scopes.flatMap((s, rank) => {
    const name = s === 0 ? "" : (corpus.file(file)?.scanned.scopes[s]?.name ?? "");
    if (name === "") return [];
    const id = wholeId(name);
    if (corpus.fileCount(id) > MAX_USERS) return [];
    const definers = corpus.definersOfId(id);
    if (definers.length === 0 || definers.length > 4) return [];
    return [{ id, share: (scopeScores[s] ?? 0) / first / (1 + rank) }];
  });
}

function mentions({ corpus, file }: Candidate, id: number): boolean {
  return corpus.file(file)?.scanned.rowTerm.includes(id) === true;
}

function scopeNameOf({ corpus, file, bestScope }: Candidate): string {
  return corpus.file(file)?.scanned.scopes[bestScope]?.name ?? "";
}

function dirOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function stemOf(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.[^.]+$/, "")
    .replace(/^test_+|^_+|_+$|_test$|[._-](?:test|spec)$/g, "")
    .toLowerCase();
}
