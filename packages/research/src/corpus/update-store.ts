// Brings a store up to what lies on disk now: what is new or changed is scanned, what is gone is forgotten. Scans are
// made first and written together, so that a reader sees the files of before or of after.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Listing } from "../catalog/list-files.ts";
import type { YieldTurn } from "../runtime/yield-turn.ts";
import type { CorpusStore, FileIdentity, NewFile, StoredFile } from "../store/corpus-store.ts";
import { tokensOf } from "./file-tokens.ts";
import type { KeeperOptions, OpenOptions } from "./keeper-options.ts";
import { isSame, readIdentity, settled } from "./read-identity.ts";
import { readSmall } from "./read-small.ts";
import { scanFile } from "./scan-file.ts";

const PREFER_ABOVE_FILES = 6_000;
/** Of a larger root so many files are scanned before its first answer, and the others after it. */
const MAX_FIRST_FILES = 20_000;
const FIRST_OF_MANY = 3_000;
const BATCH_FILES = 500;
const BATCH_TERMS = 400_000;

interface Updating extends KeeperOptions, OpenOptions {
  readonly store: CorpusStore;
  readonly yieldTurn: YieldTurn;
}

/** Stops at `scanUntil`, and gives how many files are left to scan. Rejects with StoreBusy or with what the store throws. */
export async function updateStore(
  root: string,
  { paths, truncated }: Listing,
  options: Updating,
): Promise<{ readonly unscanned: number }> {
  const { store, yieldTurn } = options;
  const known = store.files();
  const toScan: string[] = [];
  const gone = new Map<string, StoredFile>(known);
  for (const path of paths) {
    const file = known.get(path);
    gone.delete(path);
    const identity = file === undefined ? undefined : readIdentity(join(root, path));
    if (file === undefined || identity === undefined || !isSame(file, identity)) toScan.push(path);
    await yieldTurn();
  }
  const order = await orderOf(toScan, paths.length, options);
  let done = 0;
  let batch: Done[] = [];
  let terms = 0;
  const write = async (): Promise<void> => {
    await writeBatch(batch, options);
    batch = [];
    terms = 0;
  };
  for (const path of order) {
    if (performance.now() > options.scanUntil) break;
    const one = scanOne(root, path, options);
    batch.push(one);
    if (one.kind === "new") terms += one.file.scanned?.rowTerm.length ?? 0;
    done++;
    if (batch.length >= BATCH_FILES || terms >= BATCH_TERMS) await write();
    await yieldTurn();
  }
  if (!truncated) for (const { id } of gone.values()) batch.push({ kind: "gone", id });
  if (batch.length > 0) await write();
  return { unscanned: toScan.length - done };
}

type Done =
  | { readonly kind: "new"; readonly file: NewFile }
  | { readonly kind: "same"; readonly id: number; readonly identity: FileIdentity }
  | { readonly kind: "gone"; readonly id: number };

async function writeBatch(batch: readonly Done[], { store, signal }: Updating): Promise<void> {
  await store.begin(performance.now() + WRITE_WAIT_MS, signal);
  try {
    for (const one of batch) {
      if (one.kind === "same") store.touch(one.id, one.identity);
      else if (one.kind === "gone") store.remove(one.id);
      else store.put(one.file);
    }
    store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
}

const WRITE_WAIT_MS = 10_000;

/** The order in which files are scanned, and which are left for later. */
async function orderOf(toScan: readonly string[], all: number, options: OpenOptions): Promise<readonly string[]> {
  if (toScan.length <= PREFER_ABOVE_FILES) return toScan;
  const weight = await options.prefer(toScan);
  const best = [...toScan].sort((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || (a < b ? -1 : 1));
  if (all <= MAX_FIRST_FILES) return best;
  const holders = best.filter((path) => (weight.get(path) ?? 0) > 0);
  return (holders.length > 0 ? holders : best).slice(0, FIRST_OF_MANY);
}

function scanOne(root: string, path: string, { store, maxFileBytes }: Updating): Done {
  const known = store.files().get(path);
  const read = readSmall(join(root, path), maxFileBytes);
  const identity = read?.identity ?? readIdentity(join(root, path));
  if (identity === undefined) {
    if (known !== undefined) return { kind: "gone", id: known.id };
    const none = { size: 0, mtimeMs: 0, ctimeMs: -1, ino: 0 };
    return { kind: "new", file: { path, ...none, kind: "other", ...EMPTY } };
  }
  const kept = settled(identity);
  if (read?.bytes === undefined)
    return { kind: "new", file: { path, ...kept, kind: read === undefined ? "other" : "large", ...EMPTY } };
  const hash = createHash("sha1").update(read.bytes).digest("hex");
  if (known?.kind === "text" && store.hashOf(known.id) === hash) return { kind: "same", id: known.id, identity: kept };
  const scanned = scanFile(path, read.bytes.toString("utf8"));
  let length = 0;
  for (const count of scanned.rowCount) length += count;
  const scopes = scanned.scopes.length;
  const file = { path, ...kept, kind: "text" as const, hash, length, scopes, scanned };
  return { kind: "new", file: { ...file, tokens: tokensOf(path, scanned) } };
}

const EMPTY = { hash: "", length: 0, scopes: 0, scanned: undefined, tokens: [] } as const;
