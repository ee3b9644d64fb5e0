// The corpus of each root, brought up to date before every question: a file is known by its size, times and inode, or by
// its content. Turning the index off costs time and changes no answer.
import { systemCodeOf } from "@jeeves/base";
import { type Listing, listFiles } from "../catalog/list-files.ts";
import { createYield } from "../runtime/yield-turn.ts";
import { StoreBusy } from "../store/corpus-store.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { indexPath, isDamage, openStore, removeStore } from "../store/open-store.ts";
import { type Corpus, createCorpus } from "./corpus.ts";
import { createHeldRoots, type HeldRoot, type Holding } from "./held-roots.ts";
import type { KeeperOptions, OpenOptions } from "./keeper-options.ts";
import { updateStore } from "./update-store.ts";

/** A corpus as of now, and how much of its root is missing from it. */
interface OpenedCorpus {
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

/** Brings corpora up to date, one root at a time, and holds those that were asked for last. */
interface CorpusKeeper {
  /** The corpus may be closed as soon as other roots are opened; what is opened through a lease stays open. */
  open(root: string, options: OpenOptions): Promise<OpenedCorpus>;
  lease(): CorpusLease;
  /** Waits for what is being filled in, and closes what is open. */
  settle(): Promise<void>;
}

/** The corpora of one question: however many roots it has, none of them is closed before `end`. */
export interface CorpusLease extends Pick<CorpusKeeper, "open"> {
  /** May be called once. */
  end(): void;
}

interface Opened {
  readonly opened: OpenedCorpus;
  readonly holding: Holding;
}

// Any directory inside a root may be asked about; what is forgotten here is still in the index on disk.
const MAX_HELD_ROOTS = 8;

/** The keeper of all corpora of one server. */
export function createCorpusKeeper(options: KeeperOptions): CorpusKeeper {
  const busy = new Map<string, Promise<unknown>>();
  const ended = new AbortController();
  const fills = new Set<Promise<unknown>>();
  let dir = options.indexDir;
  const warn = (error: unknown): void => options.onSaveFailed?.(error);
  const settings = [options.deny, options.maxFileBytes];

  const load = async (root: string): Promise<HeldRoot> => ({
    store:
      options.indexDir === undefined ? createMemoryStore() : await openStore({ dir, root, settings, onWarning: warn }),
    scans: new Map(),
    corpus: undefined,
    version: -1,
  });
  const maxRoots = options.indexDir === undefined ? 0 : MAX_HELD_ROOTS;
  const held = createHeldRoots({ maxRoots, load, onCloseFailed: warn });

  const bringUp = async (root: string, opening: OpenOptions): Promise<Opened> => {
    const listing = await listFiles(root, { ...options, signal: opening.signal });
    const holding = held.use(root);
    try {
      return { opened: await update(root, listing, { opening, state: await holding.state }), holding };
    } catch (error) {
      held.release(holding);
      throw error;
    }
  };

  const update = async (
    root: string,
    listing: Listing,
    { opening, state }: { readonly opening: OpenOptions; readonly state: HeldRoot },
  ): Promise<OpenedCorpus> => {
    const yieldTurn = createYield(opening.signal);
    const updated = await updateStore(root, listing, { ...options, ...opening, store: state.store, yieldTurn });
    const version = state.store.version();
    if (state.version !== version) state.corpus = undefined;
    state.version = version;
    state.corpus ??= createCorpus(state.store, state.scans, { root, maxFileBytes: options.maxFileBytes });
    const large: string[] = [];
    for (const file of state.store.files().values()) if (file.kind === "large") large.push(file.path);
    return {
      corpus: state.corpus,
      listedFiles: listing.paths.length,
      unscannedFiles: updated.unscanned,
      largeFiles: large.sort(),
      unreadFiles: listing.passedBy + listing.paths.length - updated.unscanned - state.corpus.size,
      listTruncated: listing.truncated,
    };
  };

  /** A file that turns out to be damaged, and a disk that is full, cost the index and never the answer. */
  const open = async (root: string, opening: OpenOptions): Promise<Opened> => {
    try {
      return await bringUp(root, opening);
    } catch (error) {
      if (dir === undefined || !isStoreError(error)) throw error;
      warn(error);
      await held.forget(root); // in use or not: its file may be removed
      if (isDamage(error)) await removeStore(indexPath(dir, { root, settings })).catch(warn);
      else dir = undefined;
      return bringUp(root, opening);
    }
  };

  /** One at a time per root: both would scan the same files. */
  const inTurn = async <T>(root: string, work: () => Promise<T>): Promise<T> => {
    const before = busy.get(root);
    const mine = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    busy.set(root, mine);
    try {
      return await mine;
    } finally {
      if (busy.get(root) === mine) busy.delete(root);
    }
  };

  /** What no time was left for, in short turns between the questions. */
  const fill = async (root: string): Promise<void> => {
    const opening = { signal: ended.signal, prefer: async () => new Map<string, number>() };
    for (let left = 1; left > 0 && !ended.signal.aborted; ) {
      await new Promise((later) => setTimeout(later, FILL_PAUSE_MS));
      if (ended.signal.aborted) return;
      const turn = { ...opening, scanUntil: performance.now() + FILL_TURN_MS };
      const { opened, holding } = await inTurn(root, () => open(root, turn));
      held.release(holding);
      left = opened.unscannedFiles;
    }
  };
  const filling = new Set<string>();
  const startFilling = (root: string): void => {
    if (filling.has(root) || options.indexDir === undefined || ended.signal.aborted) return;
    filling.add(root);
    const filled = fill(root)
      .catch((error: unknown) => {
        if (!ended.signal.aborted) warn(error);
      })
      .finally(() => {
        filling.delete(root);
        fills.delete(filled);
      });
    fills.add(filled);
  };

  const openNow = async (root: string, opening: OpenOptions): Promise<Opened> => {
    opening.signal.throwIfAborted();
    const opened = await inTurn(root, () => open(root, opening));
    if (opened.opened.unscannedFiles > 0) startFilling(root);
    return opened;
  };

  return {
    async open(root, opening) {
      const { opened, holding } = await openNow(root, opening);
      held.release(holding);
      return opened;
    },
    lease() {
      const used: Holding[] = [];
      let isEnded = false;
      return {
        async open(root, opening) {
          const { opened, holding } = await openNow(root, opening);
          if (isEnded) held.release(holding);
          else used.push(holding);
          return opened;
        },
        end() {
          isEnded = true;
          for (const holding of used) held.release(holding);
        },
      };
    },
    async settle() {
      ended.abort();
      await Promise.all(fills);
      await Promise.allSettled(busy.values());
      await held.closeAll();
    },
  };
}

const FILL_PAUSE_MS = 100;
const FILL_TURN_MS = 1_500;

function isStoreError(error: unknown): boolean {
  return isDamage(error) || error instanceof StoreBusy || systemCodeOf(error) === "ERR_SQLITE_ERROR";
}
