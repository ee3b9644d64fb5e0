// All artefacts, parsed, without parsing 5,000 files on every command: what a file said is kept beside the inode, size
// and times that it had then. An entry that could be older than its file (changed in the moment it was read) is not
// kept, so the cache never changes an answer; it can be deleted at any time.
import { lstatSync, mkdirSync, readFileSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { isRecord, systemCodeOf } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { type Artefact, type ArtefactPlace, type Problem, readArtefact, toArtefact } from "../artefact/artefact.ts";
import { type Digits, KINDS, readId } from "../ids.ts";
import type { Layout } from "./layout.ts";
import { createScanner } from "./scan.ts";
import type { Snapshot } from "./store.ts";

const VERSION = 3;
/** Coarser than any file system's clock: within it, two changes may carry the same time. */
const RACY_MS = 2_000;
/** Rewriting the cache costs more than parsing a few files again. */
const WORTH_WRITING = 16;

interface Entry {
  /** Inode, size, time of change, time of the inode's change. Numbers: writing 20,000 of them as text is felt. */
  readonly stamp: readonly [number, number, number, number];
  readonly artefact: Artefact;
  /** Of a file that changed just now: it is read again, and parsed again only if it says something else. */
  readonly text?: string;
}

export interface ArtefactIndex {
  snapshot(): Promise<Snapshot>;
}

export interface ArtefactIndexOptions {
  readonly digits: Digits;
  /** The wall clock, which file times are compared with. */
  readonly wallMs?: () => number;
}

export function createArtefactIndex(layout: Layout, options: ArtefactIndexOptions): ArtefactIndex {
  const wallMs = options.wallMs ?? Date.now;
  const key = `${VERSION} ${JSON.stringify(options.digits)}`;
  const scan = createScanner(layout, { digits: options.digits });
  let known: Map<string, Entry> | undefined;
  let last: Snapshot | undefined;

  return {
    async snapshot() {
      known ??= readCache(layout.indexCache, key);
      const { places, problems } = scan();
      const found: (Entry | undefined)[] = [];
      let fresh = 0;
      let isSameAsLast = last !== undefined && problems.length === 0 && last.problems.length === 0;
      for (const place of places) {
        const old = known.get(place.path);
        const entry = readEntry(place, old);
        found.push(entry);
        if (entry === old) continue;
        if (entry?.artefact !== old?.artefact) isSameAsLast = false;
        if (entry === undefined) known.delete(place.path);
        else known.set(place.path, entry);
        if (entry !== undefined && entry.text === undefined) fresh += 1;
      }
      const gone = known.size - found.filter((entry) => entry !== undefined).length;
      if (gone > 0) forgetOthers(known, places);
      if (fresh >= WORTH_WRITING || gone >= WORTH_WRITING) await writeCache(layout.indexCache, { key, entries: known });
      // The very same value where nothing changed: what others have made of it (a graph) still holds.
      if (last === undefined || !isSameAsLast || gone > 0) {
        last = toSnapshot(
          found.flatMap((entry) => (entry === undefined ? [] : [entry.artefact])),
          problems,
        );
      }
      return last;
    },
  };

  function readEntry(place: ArtefactPlace, old: Entry | undefined): Entry | undefined {
    const path = `${layout.haven}/${place.path}`;
    try {
      const nowMs = wallMs();
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
}

function forgetOthers(known: Map<string, Entry>, places: readonly ArtefactPlace[]): void {
  const paths = new Set(places.map((place) => place.path));
  for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
}

function isSame(stamp: Entry["stamp"], stats: Stats): boolean {
  const [inode, size, changedMs, inodeChangedMs] = stamp;
  return inode === stats.ino && size === stats.size && changedMs === stats.mtimeMs && inodeChangedMs === stats.ctimeMs;
}

function toSnapshot(all: readonly Artefact[], found: readonly Problem[]): Snapshot {
  const byId = new Map<string, Artefact>();
  const problems: Problem[] = [...found];
  for (const artefact of all) {
    const first = byId.get(artefact.id);
    if (first === undefined) byId.set(artefact.id, artefact);
    else {
      const message = `${artefact.id} is also the id of ${first.path}; one of them needs another`;
      problems.push({ code: "duplicate_id", path: artefact.path, message });
    }
    if (artefact.problems.length > 0) problems.push(...artefact.problems);
  }
  for (const artefact of byId.values()) {
    const problem = missingParent(artefact, byId);
    if (problem !== undefined) problems.push(problem);
  }
  return { artefacts: inOrder([...byId.values()]), problems };
}

/** Each id is read once: a comparison that reads two of them costs more than all the rest. */
function inOrder(artefacts: readonly Artefact[]): Artefact[] {
  const keyed = artefacts.map((artefact) => {
    const number = readId(artefact.id)?.number ?? 0;
    return { artefact, key: KINDS.indexOf(artefact.kind) * 1e10 + number };
  });
  return keyed.sort((a, b) => a.key - b.key).map((one) => one.artefact);
}

function missingParent(artefact: Artefact, byId: ReadonlyMap<string, Artefact>): Problem | undefined {
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

function readCache(path: string, key: string): Map<string, Entry> {
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

async function writeCache(
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
