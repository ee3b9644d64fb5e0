// The corpus of each root, brought up to date before every question: unchanged files are known by size and time, or by
// their content. Turning the index off costs time and changes no answer.
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../catalog/list-files.ts";
import { type Breath, createBreath } from "../runtime/breathe.ts";
import { buildCorpus, type Corpus, type FileRecord } from "./corpus.ts";
import { loadIndex, saveIndex } from "./index-file.ts";
import { createInterner, type Interner } from "./interner.ts";
import { readSmall } from "./read-small.ts";
import { scanFile } from "./scan-file.ts";

export interface KeeperOptions {
  /** undefined: nothing is kept between questions, in memory or on disk. */
  readonly indexDir: string | undefined;
  readonly deny: readonly string[];
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly onSaveFailed?: (error: unknown) => void;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** performance.now() at which scanning stops; what is not scanned by then is missing from the corpus. */
  readonly scanUntil: number;
  /** Which files first, where not all can be scanned in time: higher is earlier. */
  prefer(paths: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface OpenedCorpus {
  readonly corpus: Corpus;
  readonly listedFiles: number;
  /** Files that time or memory did not allow to scan. */
  readonly unscannedFiles: number;
  /** Texts that are larger than maxFileBytes, and so not in the corpus. */
  readonly largeFiles: readonly string[];
  /** Files that are not in the corpus for their kind, size or name. */
  readonly unreadFiles: number;
  readonly listTruncated: boolean;
}

export interface CorpusKeeper {
  open(root: string, options: OpenOptions): Promise<OpenedCorpus>;
  /** Waits for what is being saved. */
  settle(): Promise<void>;
}

interface Held {
  interner: Interner;
  records: Map<string, FileRecord>;
  /** Files that are not text, or too large: not to be opened again while they stay as they are. */
  readonly refused: Map<string, { readonly size: number; readonly mtimeMs: number; readonly isLargeText: boolean }>;
  corpus: Corpus | undefined;
  savedAs: string;
}

// Coarse clocks: a file that changed in the same moment as it was read may change again unseen.
const RACY_MS = 2_000;
const PREFER_ABOVE_FILES = 6_000;
// Any directory inside a root may be asked about; what is forgotten here is still in the index on disk.
const MAX_HELD_ROOTS = 8;
// What a corpus of more files would take of memory; of a larger root those files are scanned that have the question's
// words, so that the answer depends on the question and not on what was asked before.
const MAX_SCANNED_FILES = 20_000;

export function createCorpusKeeper(options: KeeperOptions): CorpusKeeper {
  const held = new Map<string, Promise<Held>>();
  const busy = new Map<string, Promise<unknown>>();
  let saving: Promise<unknown> = Promise.resolve();

  const load = async (root: string): Promise<Held> => {
    const saved = options.indexDir === undefined ? undefined : await loadIndex(options.indexDir, root);
    const records = new Map((saved?.records ?? []).map((record) => [record.path, record]));
    return {
      interner: createInterner(saved?.terms),
      records,
      refused: new Map(),
      corpus: undefined,
      savedAs: keyOf(records),
    };
  };

  const open = async (root: string, opening: OpenOptions): Promise<OpenedCorpus> => {
    const listing = await listFiles(root, { ...options, signal: opening.signal });
    let state: Held;
    if (options.indexDir === undefined) state = await load(root);
    else {
      const known = held.get(root) ?? load(root);
      held.delete(root);
      held.set(root, known); // the newest last
      for (const [oldest] of held) if (held.size > MAX_HELD_ROOTS) held.delete(oldest);
      state = await known;
    }
    const updated = await update(root, listing.paths, state, { ...options, ...opening });
    if (options.indexDir !== undefined && updated.unscanned === 0) save(root, state, options.indexDir);
    return {
      corpus: updated.corpus,
      listedFiles: listing.paths.length,
      unscannedFiles: updated.unscanned,
      largeFiles: listing.paths.filter((path) => state.refused.get(path)?.isLargeText),
      unreadFiles: listing.passedBy + listing.paths.length - updated.unscanned - updated.corpus.files.length,
      listTruncated: listing.truncated,
    };
  };

  const save = (root: string, state: Held, dir: string): void => {
    const key = keyOf(state.records);
    if (key === state.savedAs) return;
    state.savedAs = key;
    saving = saving
      // After the answer: serialising holds the thread for a moment.
      .then(() => new Promise((later) => setTimeout(later, 50)))
      .then(() => saveIndex(dir, root, { terms: [...state.interner.terms()], records: [...state.records.values()] }))
      .catch((error: unknown) => options.onSaveFailed?.(error));
  };

  return {
    async open(root, opening) {
      const before = busy.get(root);
      // One at a time per root: both would scan the same files.
      const mine = (async () => {
        await before?.catch(() => {});
        opening.signal.throwIfAborted();
        return open(root, opening);
      })();
      busy.set(root, mine);
      try {
        return await mine;
      } finally {
        if (busy.get(root) === mine) busy.delete(root);
      }
    },
    settle: async () => void (await saving),
  };
}

function keyOf(records: ReadonlyMap<string, FileRecord>): string {
  const hash = createHash("sha1");
  for (const { path, hash: content, mtimeMs } of records.values()) hash.update(`${path}\0${content}\0${mtimeMs}\n`);
  return hash.digest("hex");
}

async function update(
  root: string,
  paths: readonly string[],
  state: Held,
  options: KeeperOptions & OpenOptions,
): Promise<{ readonly corpus: Corpus; readonly unscanned: number }> {
  const breathe = createBreath(options.signal);
  const chosen = await chooseFiles(paths, options);
  const next = new Map<string, FileRecord | undefined>();
  const toScan: string[] = [];
  let changed = state.corpus === undefined;
  for (const path of chosen) {
    const known = state.records.get(path);
    const refused = state.refused.get(path);
    if (known !== undefined && isUnchanged(join(root, path), known)) next.set(path, known);
    else if (refused === undefined || !isUnchanged(join(root, path), refused)) {
      next.set(path, undefined);
      toScan.push(path);
    }
    await breathe();
  }
  const scanned = await scanAll(root, toScan, state, { ...options, breathe });
  for (const [path, record] of scanned.records) next.set(path, record);
  const records = new Map<string, FileRecord>();
  for (const [path, record] of next) if (record !== undefined) records.set(path, record);
  changed ||= records.size !== state.records.size;
  for (const [path, record] of records) changed ||= state.records.get(path)?.hash !== record.hash;
  state.records = records;
  if (changed || state.corpus === undefined)
    state.corpus = await buildCorpus([...records.values()], state.interner, breathe);
  return { corpus: state.corpus, unscanned: scanned.left + paths.length - chosen.length };
}

/** Sorted like paths. */
async function chooseFiles(paths: readonly string[], options: OpenOptions): Promise<readonly string[]> {
  if (paths.length <= MAX_SCANNED_FILES) return paths;
  const weight = await options.prefer(paths);
  const best = [...paths].sort((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || (a < b ? -1 : 1));
  return best.slice(0, MAX_SCANNED_FILES).sort((a, b) => (a < b ? -1 : 1));
}

async function scanAll(
  root: string,
  paths: readonly string[],
  state: Held,
  options: KeeperOptions & OpenOptions & { readonly breathe: Breath },
): Promise<{ readonly records: ReadonlyMap<string, FileRecord>; readonly left: number }> {
  const records = new Map<string, FileRecord>();
  let order = paths;
  if (paths.length > PREFER_ABOVE_FILES) {
    const weight = await options.prefer(paths);
    order = [...paths].sort((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || (a < b ? -1 : 1));
  }
  let done = 0;
  for (const path of order) {
    if (performance.now() > options.scanUntil) break;
    const record = scanOne(root, path, state, options.maxFileBytes);
    if (record !== undefined) records.set(path, record);
    done++;
    await options.breathe();
  }
  return { records, left: order.length - done };
}

function scanOne(root: string, path: string, state: Held, maxBytes: number): FileRecord | undefined {
  const read = readSmall(join(root, path), maxBytes);
  state.refused.delete(path);
  if (read === undefined || read.bytes === undefined) {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stats !== undefined)
      state.refused.set(path, { size: stats.size, mtimeMs: stats.mtimeMs, isLargeText: read !== undefined });
    return undefined;
  }
  const { bytes, size, mtimeMs } = read;
  const hash = createHash("sha1").update(bytes).digest("hex");
  const known = state.records.get(path);
  if (known !== undefined && known.hash === hash) return { ...known, size, mtimeMs };
  return { path, size, mtimeMs, hash, scanned: scanFile(path, bytes.toString("utf8"), state.interner) };
}

function isUnchanged(file: string, known: { readonly size: number; readonly mtimeMs: number }): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size !== known.size) return false;
  return stats.mtimeMs === known.mtimeMs && Date.now() - stats.mtimeMs > RACY_MS;
}
