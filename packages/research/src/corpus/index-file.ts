// The index on disk: what was scanned of one root, keyed by the content of each file. Losing it costs time, never an
// answer, so whatever is wrong with it (damaged, of another version, unreadable) means that there is none.
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { makeDirs, writeFileAtomic } from "@jeeves/state";
import type { FileRecord } from "./corpus.ts";

/** Changes whenever what a scan finds changes. */
export const INDEX_VERSION = 3;
const CHECKSUM_BYTES = 32;
const MAX_INDEXES = 40;

export interface SavedIndex {
  readonly terms: readonly string[];
  readonly records: readonly FileRecord[];
}

interface Stored extends SavedIndex {
  readonly version: number;
  readonly root: string;
}

export function indexPath(dir: string, root: string): string {
  return join(dir, `${createHash("sha256").update(root).digest("hex").slice(0, 24)}.index`);
}

export async function loadIndex(dir: string, root: string): Promise<SavedIndex | undefined> {
  try {
    const bytes = await readFile(indexPath(dir, root));
    const body = bytes.subarray(CHECKSUM_BYTES);
    if (!checksum(body).equals(bytes.subarray(0, CHECKSUM_BYTES))) return undefined;
    const stored: Stored = deserialize(body);
    return stored.version === INDEX_VERSION && stored.root === root ? stored : undefined;
  } catch {
    return undefined;
  }
}

export async function saveIndex(dir: string, root: string, index: SavedIndex): Promise<void> {
  await makeDirs(dir, { mode: 0o700 });
  const stored: Stored = { version: INDEX_VERSION, root, terms: index.terms, records: index.records };
  const body = serialize(stored);
  await writeFileAtomic(indexPath(dir, root), Buffer.concat([checksum(body), body]));
  await dropOldest(dir);
}

async function dropOldest(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".index"));
  if (names.length <= MAX_INDEXES) return;
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(dir, name))).mtimeMs })));
  dated.sort((a, b) => b.at - a.at);
  for (const { name } of dated.slice(MAX_INDEXES)) await rm(join(dir, name), { force: true });
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
