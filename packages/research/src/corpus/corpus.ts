// Everything that is known about the files of one root: their scans, and what follows from all of them together
// (frequencies, definitions, the graph of imports), each looked up when it is asked for. It has no
// text of the files, except for `textOf`, which reads it.
import { join } from "node:path";
import { familyOf, isName, isTestPath, partOf } from "../catalog/file-kind.ts";
import { type CorpusStore, type StoredFile, token, type WeightedToken } from "../store/corpus-store.ts";
import type { ScannedFile } from "../store/scanned-file.ts";
import { termId, termIdsIn, wholeId } from "../words/term-ids.ts";
import { keysOf, resolveImport, type Segments, segmentsOf } from "./imports.ts";
import { readSmall } from "./read-small.ts";

/** A file with what is computed from its scan and its path; terms are numbers (`termId`). */
export interface CorpusFile {
  readonly id: number;
  readonly path: string;
  readonly scanned: ScannedFile;
  readonly isTest: boolean;
  readonly family: ReturnType<typeof familyOf>;
  readonly part: ReturnType<typeof partOf>;
  readonly pathTerms: ReadonlySet<number>;
  readonly nameTerms: ReadonlySet<number>;
  /** Name terms of each scope. */
  readonly scopeNames: readonly ReadonlySet<number>[];
  readonly scopeLength: Float64Array;
  readonly length: number;
}

/** One state of the files of one root. Files have numbers, which mean nothing to another state. */
export interface Corpus {
  /** How many texts there are. */
  readonly size: number;
  readonly meanFileLength: number;
  readonly meanScopeLength: number;
  /** Of every text. */
  readonly paths: readonly string[];
  pathOf(file: number): string;
  /** undefined: there is no such text, or it is not in the corpus. */
  fileAt(path: string): number | undefined;
  file(file: number): CorpusFile | undefined;
  /** The text as it lies on disk now; undefined: it is gone, or no text any more. */
  textOf(file: number): string | undefined;
  /** In how many files a term occurs, and in how many paths. */
  fileCount(term: number): number;
  pathCount(term: number): number;
  /** The files that define a name, by path. */
  definersOf(name: string): readonly number[];
  definersOfId(name: number): readonly number[];
  /** The files that a file imports, and a guess at those that import it. */
  importsOf(file: number): readonly number[];
  importedBy(file: number): readonly number[];
  /** The files whose tokens are worth most together. */
  best(tokens: readonly WeightedToken[], limit: number): readonly number[];
  /** Runs `read` on one state of the corpus. */
  snapshot<T>(read: () => T): T;
}

/** Scans that are held from question to question, by their terms: some 30 MB. */
const MAX_HELD_TERMS = 1_500_000;
/** A name that stands for very many files (`mod`, `utils`) tells little, and would cost time. */
const MAX_NAMESAKES = 200;

/** Of the files that are texts; `held` keeps their scans between the states of one root. */
export function createCorpus(
  store: CorpusStore,
  held: Map<number, CorpusFile>,
  from: { readonly root: string; readonly maxFileBytes: number },
): Corpus {
  const stored = store.files();
  const texts: StoredFile[] = [];
  for (const file of stored.values()) if (file.kind === "text") texts.push(file);
  texts.sort((a, b) => (a.path < b.path ? -1 : 1));
  const byId = new Map(texts.map((file) => [file.id, file]));
  let length = 0;
  let scopes = 0;
  for (const file of texts) {
    length += file.length;
    scopes += file.scopes;
  }
  const pathOf = (id: number): string => byId.get(id)?.path ?? "";
  const byPath = (a: number, b: number): number => (pathOf(a) < pathOf(b) ? -1 : 1);
  const sorted = (ids: readonly number[]): number[] => ids.filter((id) => byId.has(id)).sort(byPath);
  const filesWith = remember((text: string) => sorted(store.filesWith(text)));
  const segments = remember((id: number): Segments => segmentsOf(pathOf(id)));
  const resolve = (words: string, from: number): number | undefined =>
    resolveImport(words, from, {
      segments,
      named: (name) => {
        const found = filesWith(token.module(wholeId(name)));
        return found.length > MAX_NAMESAKES ? [] : found;
      },
    });
  const file = (id: number): CorpusFile | undefined => {
    const known = held.get(id);
    if (known !== undefined) {
      held.delete(id);
      held.set(id, known); // the newest last
      return known;
    }
    const path = byId.get(id)?.path;
    const scanned = path === undefined ? undefined : store.scanned(id);
    if (path === undefined || scanned === undefined) return undefined;
    const made = describe(id, path, scanned);
    held.set(id, made);
    return made;
  };
  const importsOf = remember((id: number): readonly number[] => {
    const targets = new Set<number>();
    for (const words of file(id)?.scanned.imports ?? []) {
      const target = resolve(words, id);
      if (target !== undefined) targets.add(target);
    }
    return [...targets];
  });
  trim(held);

  return {
    size: texts.length,
    meanFileLength: length / Math.max(1, texts.length) || 1,
    meanScopeLength: length / Math.max(1, scopes) || 1,
    paths: texts.map(({ path }) => path),
    pathOf,
    fileAt(path) {
      const known = stored.get(path);
      return known?.kind === "text" && byId.has(known.id) ? known.id : undefined;
    },
    file,
    textOf: (id) => readSmall(join(from.root, pathOf(id)), from.maxFileBytes)?.bytes?.toString("utf8"),
    fileCount: (term) => store.countOf(token.text(term)),
    pathCount: (term) => store.countOf(token.path(term)),
    definersOf: (name) => filesWith(token.defines(wholeId(name))),
    definersOfId: (name) => filesWith(token.defines(name)),
    importsOf,
    importedBy: remember((id: number) => {
      const [near, alone] = keysOf(pathOf(id)).map((key) => filesWith(token.imports(termId(key))));
      const namesakes = filesWith(token.module(wholeId(segments(id).at(-1) ?? ""))).length;
      const found = new Set([...(near ?? []), ...(namesakes === 1 ? (alone ?? []) : [])]);
      found.delete(id);
      return [...found];
    }),
    best: (tokens, limit) => store.best(tokens, limit).filter((id) => byId.has(id)),
    snapshot: (read) => store.snapshot(read),
  };
}

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** The oldest go. */
function trim(held: Map<number, CorpusFile>): void {
  let terms = 0;
  for (const { scanned } of held.values()) terms += scanned.rowTerm.length;
  for (const [id, { scanned }] of held) {
    if (terms <= MAX_HELD_TERMS) return;
    terms -= scanned.rowTerm.length;
    held.delete(id);
  }
}

function describe(id: number, path: string, scanned: ScannedFile): CorpusFile {
  const stem = path.replace(/\.[^./]+$/, "");
  const scopeLength = new Float64Array(scanned.scopes.length);
  let length = 0;
  for (let s = 0; s < scopeLength.length; s++) {
    let own = 0;
    for (let r = scanned.rowStart[s] ?? 0; r < (scanned.rowStart[s + 1] ?? 0); r++) own += scanned.rowCount[r] ?? 0;
    scopeLength[s] = own;
    length += own;
  }
  return {
    id,
    path,
    scanned,
    isTest: isTestPath(path),
    family: familyOf(path),
    part: partOf(path),
    pathTerms: termIdsIn(stem),
    nameTerms: termIdsIn(stem.slice(stem.lastIndexOf("/") + 1)),
    scopeNames: scanned.scopes.map(({ name }) => namesOf(name)),
    scopeLength,
    length,
  };
}

/** The terms of a scope's name, and the whole of it. */
export function namesOf(name: string): Set<number> {
  const terms = termIdsIn(name);
  if (isName(name)) terms.add(wholeId(name));
  return terms;
}
