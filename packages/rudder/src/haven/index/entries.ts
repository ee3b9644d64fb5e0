// What one artefact file said, with the state that the file had then; and the cache of all of them between two runs. An
// entry that could be older than its file (changed in the moment it was read) is not kept, so the cache never changes
// an answer; it can be deleted at any time.
import { lstatSync, mkdirSync, readFileSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { isRecord, systemCodeOf } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { type Artefact, type ArtefactPlace, type Problem, readArtefact, toArtefact } from "../../artefact/artefact.ts";
import { type Digits, KINDS, readId } from "../../ids.ts";

/** Of the cache's form. */
export const CACHE_VERSION = 3;
/** Coarser than any file system's clock: within it, two changes may carry the same time. */
const RACY_MS = 2_000;

/** What a file said. */
export interface Entry {
  /** Inode, size, time of change, time of the inode's change. Numbers: writing 20,000 of them as text is slow. */
  readonly stamp: readonly [number, number, number, number];
  readonly artefact: Artefact;
  /** Of a file that changed just now: it is read again, and parsed again only if its text is another. */
  readonly text?: string;
}

/** How files are read. */
interface EntryOptions {
  readonly haven: string;
  readonly digits: Digits;
  readonly wallMs: () => number;
}

/** The entry of a file now: the very same one where the file is the same; undefined where it is gone. */
export function readEntry(place: ArtefactPlace, old: Entry | undefined, options: EntryOptions): Entry | undefined {
  const path = `${options.haven}/${place.path}`;
  try {
    const nowMs = options.wallMs();
    const stats = lstatSync(path);
    if (old !== undefined && old.text === undefined && isSame(old.stamp, stats)) return old;
    const text = readFileSync(path, "utf8");
    const artefact =
      old?.text !== undefined && old.text === text ? old.artefact : readArtefact(text, place, options.digits);
    const stamp = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs] as const;
    // A time ahead of our clock (it was set back) is no proof of rest either.
    return Math.abs(nowMs - stats.ctimeMs) > RACY_MS ? { stamp, artefact } : { stamp, artefact, text };
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined; // gone since we looked
    const message = `it cannot be read (${systemCodeOf(error) ?? String(error)})`;
    const problem: Problem = { code: "not_a_file", path: place.path, message };
    const artefact = toArtefact({ ...place, title: place.id, problems: [problem] });
    return { stamp: [0, 0, 0, 0], artefact, text: "" };
  }
}

function isSame(stamp: Entry["stamp"], stats: Stats): boolean {
  const [inode, size, changedMs, inodeChangedMs] = stamp;
  return inode === stats.ino && size === stats.size && changedMs === stats.mtimeMs && inodeChangedMs === stats.ctimeMs;
}

/** Each id is read once: a comparison that reads two of them costs more than all the rest. */
export function inOrder(artefacts: readonly Artefact[]): Artefact[] {
  const keyed = artefacts.map((artefact) => {
    const number = readId(artefact.id)?.number ?? 0;
    return { artefact, key: KINDS.indexOf(artefact.kind) * 1e10 + number };
  });
  return keyed.sort((a, b) => a.key - b.key).map((one) => one.artefact);
}

/** What is wrong with an artefact's parent; undefined where nothing is. */
export function missingParent(artefact: Artefact, byId: { has(id: string): boolean }): Problem | undefined {
  const { kind, id, epic, prd, path } = artefact;
  if (artefact.problems.some((problem) => problem.code === "broken_yaml")) return undefined;
  const missing = (message: string): Problem => ({ code: "missing_parent", path, message });
  if (kind === "task" && epic === undefined) return missing(`${id} names no epic as parent`);
  if (kind === "task" && epic !== undefined && !byId.has(epic)) {
    return missing(`${id} belongs to ${epic}, which does not exist`);
  }
  if (kind === "epic" && prd !== undefined && !byId.has(prd)) {
    return missing(`${id} lies in the folder of ${prd}, which has no prd.md`);
  }
  return undefined;
}

/** What most artefacts lack is left out of the cache: half of it would be empty lists. */
function toSparse(artefact: Artefact): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(artefact).filter(([name, value]) => name !== "path" && !isEmpty(value)));
}

/** What the cache holds; nothing where it is missing, damaged or of another form. */
export function readCache(path: string, key: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isRecord(value) || value.key !== key || !Array.isArray(value.entries)) return entries;
    for (const [file, stamp, sparse] of value.entries) {
      sparse.path = file;
      entries.set(file, { stamp, artefact: toArtefact(sparse) });
    }
    return entries;
  } catch {
    return new Map();
  }
}

/** Keeps what has settled for the next run. */
export async function writeCache(
  path: string,
  cache: { readonly key: string; readonly entries: ReadonlyMap<string, Entry> },
): Promise<void> {
  try {
    mkdirSync(dirname(path), { mode: 0o700 });
  } catch {
    // It is there, or the haven is read-only: the write below tells.
  }
  const settled = [...cache.entries].filter(([, entry]) => entry.text === undefined);
  const entries = settled.map(([file, { stamp, artefact }]) => [file, stamp, toSparse(artefact)]);
  await writeFileAtomic(path, JSON.stringify({ key: cache.key, entries })).catch(() => {
    // A reader that cannot keep its notes still answers.
  });
}
