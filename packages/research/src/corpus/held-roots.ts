// The open stores of the roots that were asked for last. A store is never closed while something uses it, unless its file
// turned out to be damaged.
import type { CorpusStore } from "../store/corpus-store.ts";
import type { Corpus, CorpusFile } from "./corpus.ts";

/** What is held of one root. */
export interface HeldRoot {
  readonly store: CorpusStore;
  readonly scans: Map<number, CorpusFile>;
  corpus: Corpus | undefined;
  /** The store's when the corpus was made. */
  version: number;
}

/** A held root on behalf of its users; each user has to release it once. */
export interface Holding {
  readonly state: Promise<HeldRoot>;
  users: number;
  /** Closed when its last user is done. */
  isDropped: boolean;
  isClosed: boolean;
}

interface HeldRootsOptions {
  /** More roots than these are not held; 0: none is, and each use loads its own. */
  readonly maxRoots: number;
  load(root: string): Promise<HeldRoot>;
  onCloseFailed(error: unknown): void;
}

/** No root is loaded yet. */
export function createHeldRoots({ maxRoots, load, onCloseFailed }: HeldRootsOptions) {
  const held = new Map<string, Holding>();

  const close = async (holding: Holding): Promise<void> => {
    if (holding.isClosed) return;
    holding.isClosed = true;
    (await holding.state).store.close();
  };
  const closeIfUnused = (holding: Holding): void => {
    if (holding.isDropped && holding.users === 0) close(holding).catch(onCloseFailed);
  };
  /** The least recently used go. */
  const dropOldest = (): void => {
    for (const [root, holding] of held) {
      if (held.size <= maxRoots) return;
      held.delete(root);
      holding.isDropped = true;
      closeIfUnused(holding);
    }
  };

  return {
    /** Counts the caller as a user. */
    use(root: string): Holding {
      const holding = held.get(root) ?? { state: load(root), users: 0, isDropped: false, isClosed: false };
      holding.users++;
      held.delete(root);
      held.set(root, holding); // the newest last
      dropOldest();
      return holding;
    },
    release(holding: Holding): void {
      holding.users--;
      closeIfUnused(holding);
    },
    /** Closes a root at once, in use or not; the next use loads it again. */
    async forget(root: string): Promise<void> {
      const holding = held.get(root);
      held.delete(root);
      if (holding !== undefined) await close(holding);
    },
    async closeAll(): Promise<void> {
      for (const holding of held.values()) await close(holding);
      held.clear();
    },
  };
}
