// Which file an import means: the one whose path ends like the words of the import, nearest to the importer. It
// is a guess, the same for every language; an import that is too ambiguous leads nowhere.

/** The words by which a file can be imported: its path without its ending. */
export type Segments = readonly string[];

/** The segments of a path; `a/__init__.py`, `a/index.ts` and `a/mod.rs` are `a`. */
export function segmentsOf(path: string): Segments {
  return path
    .replace(/\.[^./]+$/, "")
    .replace(/\/(?:__init__|index|mod)$/, "")
    .split("/");
}

/** The words of an import, without leading dots and slashes and without its extension. */
function importWords(words: string): string[] {
  return words
    .replace(/^[./@~]+/, "")
    .replace(/\.(?:[cm]?[jt]sx?|py|h|hpp)$/, "")
    .split(/[./]|::/)
    .filter((part) => part !== "");
}

/** The last two words of an import, the first of them taken from its file where it has one only. undefined: it has none. */
export function importKey(words: string, path: string): string | undefined {
  const wanted = importWords(words);
  const name = wanted.pop();
  if (name === undefined) return undefined;
  const parent = wanted.at(-1) ?? parentOf(words, path) ?? "";
  return `${parent}/${name === "index" || name === "mod" ? parent : name}`;
}

/** The keys by which a file is imported: with its directory, and alone. */
export function keysOf(path: string): readonly [string, string] {
  const parts = segmentsOf(path);
  const name = parts.at(-1) ?? "";
  return [`${parts.at(-2) ?? ""}/${name}`, `/${name}`];
}

/** The directory that a relative import starts from; undefined for another. */
function parentOf(words: string, path: string): string | undefined {
  const dots = /^(?:(?:\.\.?\/)+|\.+)/.exec(words)?.[0];
  if (dots === undefined) return undefined;
  const up = dots.includes("/") ? dots.split("../").length - 1 : dots.length - 1;
  return path
    .split("/")
    .slice(0, -1)
    .at(-1 - up);
}

interface Tree {
  segments(file: number): Segments;
  /** The files whose last segment it is, by path. */
  named(name: string): readonly number[];
}

/** The file that is meant by an import of the file `from`. */
export function resolveImport(words: string, from: number, { segments, named }: Tree): number | undefined {
  const wanted = importWords(words);
  const name = wanted.at(-1);
  if (name === undefined) return undefined;
  const here = segments(from).slice(0, -1);
  let best: number | undefined;
  let bestScore = 0;
  for (const candidate of named(name)) {
    if (candidate === from) continue;
    const path = segments(candidate);
    let tail = 0;
    while (
      tail < wanted.length &&
      tail < path.length &&
      path[path.length - 1 - tail] === wanted[wanted.length - 1 - tail]
    )
      tail++;
    let shared = 0;
    while (shared < here.length && here[shared] === path[shared]) shared++;
    if (tail === 0) continue;
    const isNear = words.startsWith(".") && shared === here.length;
    if (tail < wanted.length && tail < 2 && !isNear) continue;
    const score = tail * 10 + shared;
    if (score > bestScore) {
      bestScore = score;
      best = candidate;
    }
  }
  return best;
}
