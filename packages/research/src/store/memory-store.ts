// A corpus store that is gone when the process ends: for installations without SQLite, and where the index is off.

import type { CorpusStore, NewFile, StoredFile } from "./corpus-store.ts";
import { decodeScan, encodeScan } from "./record-codec.ts";
import type { ScannedFile } from "./scanned-file.ts";

interface Held {
  readonly file: StoredFile;
  readonly hash: string;
  readonly scan: Uint8Array | undefined;
  readonly tokens: readonly string[];
}

/** An empty store in memory. */
export function createMemoryStore(): CorpusStore {
  const byPath = new Map<string, StoredFile>();
  const held = new Map<number, Held>();
  const having = new Map<string, Set<number>>();
  let nextId = 1;
  let version = 0;

  const remove = (id: number): void => {
    const one = held.get(id);
    if (one === undefined) return;
    held.delete(id);
    byPath.delete(one.file.path);
    for (const token of one.tokens) having.get(token)?.delete(id);
  };
  const pathOf = (id: number): string => held.get(id)?.file.path ?? "";

  return {
    files: () => byPath,
    version: () => version,
    hashOf: (id) => held.get(id)?.hash,
    begin: async () => {},
    put({ scanned, tokens, hash, ...file }: NewFile) {
      const before = byPath.get(file.path);
      if (before !== undefined) remove(before.id);
      version++;
      const stored = { ...file, id: nextId++ };
      byPath.set(file.path, stored);
      const scan = scanned === undefined ? undefined : encodeScan(scanned);
      held.set(stored.id, { file: stored, hash, scan, tokens });
      for (const token of tokens) {
        const ids = having.get(token);
        if (ids === undefined) having.set(token, new Set([stored.id]));
        else ids.add(stored.id);
      }
    },
    touch(id, identity) {
      const one = held.get(id);
      if (one === undefined) return;
      const file = { ...one.file, ...identity };
      held.set(id, { ...one, file });
      byPath.set(file.path, file);
    },
    remove(id) {
      remove(id);
      version++;
    },
    commit: () => {},
    rollback: () => {},
    scanned(id): ScannedFile | undefined {
      const scan = held.get(id)?.scan;
      return scan === undefined ? undefined : decodeScan(scan);
    },
    filesWith: (token) => [...(having.get(token) ?? [])],
    countOf: (token) => having.get(token)?.size ?? 0,
    best(tokens, limit) {
      const worths = new Map<number, number>();
      for (const { token, worth } of tokens)
        for (const id of having.get(token) ?? []) worths.set(id, (worths.get(id) ?? 0) + worth);
      return [...worths]
        .sort(([a, x], [b, y]) => y - x || (pathOf(a) < pathOf(b) ? -1 : 1))
        .slice(0, limit)
        .map(([id]) => id);
    },
    snapshot: (read) => read(),
    close: () => {},
  };
}
