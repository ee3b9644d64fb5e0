// Everything that is known about the files of one root: their scanned content, and what follows from all of them
// together (frequencies, definitions, the graph of imports). Answers come from here; bytes never do.
import { familyOf, isTestPath, partOf } from "../catalog/file-kind.ts";
import type { Breath } from "../runtime/breathe.ts";
import { scanWords } from "../words/terms.ts";
import { linkImports } from "./imports.ts";
import type { Interner } from "./interner.ts";
import type { ScannedFile } from "./scan-file.ts";

export interface FileRecord {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Of the bytes that were scanned. */
  readonly hash: string;
  readonly scanned: ScannedFile;
}

export interface CorpusFile extends FileRecord {
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

export interface Corpus {
  readonly interner: Interner;
  readonly files: readonly CorpusFile[];
  /** In how many files a term occurs, and in how many paths. */
  readonly fileCount: Uint32Array;
  readonly pathCount: Uint32Array;
  /** The identifier's whole term → files that define it. */
  readonly definedIn: ReadonlyMap<number, readonly number[]>;
  /** Per file: the files that it imports and that import it. */
  readonly imports: readonly (readonly number[])[];
  readonly importedBy: readonly (readonly number[])[];
  readonly meanFileLength: number;
  readonly meanScopeLength: number;
}

export async function buildCorpus(
  records: readonly FileRecord[],
  interner: Interner,
  breathe: Breath,
): Promise<Corpus> {
  const files: CorpusFile[] = [];
  for (const record of records) {
    files.push(describe(record, interner));
    await breathe();
  }
  const definedIn = new Map<number, number[]>();
  for (let f = 0; f < files.length; f++) {
    const { scopes, constants } = files[f]?.scanned ?? { scopes: [], constants: [] };
    const names = new Set<number>();
    for (const scope of scopes) if (isName(scope.name)) names.add(interner.wholeId(scope.name));
    for (const constant of constants) names.add(interner.wholeId(constant.name));
    for (const name of names) {
      const known = definedIn.get(name);
      if (known === undefined) definedIn.set(name, [f]);
      else known.push(f);
    }
    await breathe();
  }
  const fileCount = new Uint32Array(interner.size);
  const pathCount = new Uint32Array(interner.size);
  const seenBy = new Int32Array(interner.size).fill(-1);
  let words = 0;
  let scopes = 0;
  for (let f = 0; f < files.length; f++) {
    const file = files[f];
    if (file === undefined) continue;
    for (const term of file.scanned.rowTerm) {
      if (seenBy[term] === f) continue;
      seenBy[term] = f;
      fileCount[term] = (fileCount[term] ?? 0) + 1;
    }
    for (const term of file.pathTerms) pathCount[term] = (pathCount[term] ?? 0) + 1;
    words += file.length;
    scopes += file.scanned.scopes.length;
    await breathe();
  }
  const imports = await linkImports(files, breathe);
  const importedBy: number[][] = files.map(() => []);
  imports.forEach((targets, from) => {
    for (const to of targets) importedBy[to]?.push(from);
  });
  return {
    interner,
    files,
    fileCount,
    pathCount,
    definedIn,
    imports,
    importedBy,
    meanFileLength: words / Math.max(1, files.length) || 1,
    meanScopeLength: words / Math.max(1, scopes) || 1,
  };
}

function describe(record: FileRecord, interner: Interner): CorpusFile {
  const { path, scanned } = record;
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
    ...record,
    isTest: isTestPath(path),
    family: familyOf(path),
    part: partOf(path),
    pathTerms: termSet(stem, interner),
    nameTerms: termSet(stem.slice(stem.lastIndexOf("/") + 1), interner),
    scopeNames: scanned.scopes.map(({ name }) => {
      const terms = termSet(name, interner);
      if (isName(name)) terms.add(interner.wholeId(name));
      return terms;
    }),
    scopeLength,
    length,
  };
}

function termSet(text: string, interner: Interner): Set<number> {
  const terms = new Set<number>();
  scanWords(text, 0, text.length, (word) => {
    for (const id of interner.idsOf(word)) terms.add(id);
  });
  return terms;
}

function isName(name: string): boolean {
  return /^[\w$]+$/.test(name);
}
