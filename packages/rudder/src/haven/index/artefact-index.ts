// All artefacts, parsed, for a command that looks once: every file is looked at, and parsed only where it has changed
// since the cache was written. A server keeps a live index instead (live-index.ts).
import type { Artefact, ArtefactPlace, Problem } from "../../artefact/artefact.ts";
import type { Digits, Kind } from "../../ids.ts";
import type { Layout } from "../layout.ts";
import type { Snapshot } from "../store.ts";
import { CACHE_VERSION, type Entry, inOrder, missingParent, readCache, readEntry, writeCache } from "./entries.ts";
import { createScanner, scanArtefacts } from "./scan.ts";

/** Rewriting the cache costs more than parsing a few files again. */
const WORTH_WRITING = 16;

/** What the artefact files of a haven say. */
export interface ArtefactIndex {
  snapshot(): Promise<Snapshot>;
  /** The fields of one; undefined where there is none. */
  find(id: string): Promise<Artefact | undefined>;
  tasksOf(epicId: string): Promise<readonly Artefact[]>;
  dependentsOf(id: string): Promise<readonly string[]>;
  /** Where an id was found last: looking there first spares a search. */
  knownPath(id: string): string | undefined;
  /** Every file that has this id now. */
  searchPaths(id: string, kind: Kind): readonly string[];
  /** These files, relative to the haven, were just written by us. */
  noteWritten(paths: readonly string[]): void;
  close(): Promise<void>;
}

export interface ArtefactIndexOptions {
  readonly digits: Digits;
  /** The wall clock, which file times are compared with. */
  readonly wallMs?: () => number;
  /** For one command: the files are looked at once, and again after a change of its own. */
  readonly isOneLook?: boolean | undefined;
}

/** An index that looks at every file for each question, and parses what has changed since the cache was written. */
export function createArtefactIndex(layout: Layout, options: ArtefactIndexOptions): ArtefactIndex {
  const wallMs = options.wallMs ?? Date.now;
  const key = `${CACHE_VERSION} ${JSON.stringify(options.digits)}`;
  const scan = createScanner(layout, { digits: options.digits });
  let known: Map<string, Entry> | undefined;
  let last: Snapshot | undefined;
  let isLooked = false;
  const paths = new Map<string, string>();

  const index: ArtefactIndex = {
    knownPath: (id) => paths.get(id),
    searchPaths(id, kind) {
      const { places } = scanArtefacts(layout, { digits: options.digits, kind });
      // All that was seen is noted: a caller that asks for one of thousands soon asks for the next.
      const twice = new Set<string>();
      const seen = new Set<string>();
      for (const place of places) (seen.has(place.id) ? twice : seen).add(place.id);
      for (const place of places) if (!twice.has(place.id)) paths.set(place.id, place.path);
      return places.filter((place) => place.id === id).map((place) => place.path);
    },
    async find(id) {
      const { artefacts } = await index.snapshot();
      return artefacts.find((artefact) => artefact.id === id);
    },
    async tasksOf(epicId) {
      const { artefacts } = await index.snapshot();
      return artefacts.filter((artefact) => artefact.kind === "task" && artefact.epic === epicId);
    },
    async dependentsOf(id) {
      const { artefacts } = await index.snapshot();
      return artefacts.filter((one) => one.id !== id && one.blockedBy.includes(id)).map((one) => one.id);
    },
    noteWritten() {
      isLooked = false;
    },
    async close() {},
    async snapshot() {
      if (isLooked && last !== undefined) return last;
      isLooked = options.isOneLook === true;
      known ??= readCache(layout.indexCache, key);
      const { places, problems } = scan();
      const found: (Entry | undefined)[] = [];
      let fresh = 0;
      let isSameAsLast = last !== undefined && problems.length === 0 && last.problems.length === 0;
      for (const place of places) {
        const old = known.get(place.path);
        const entry = readEntry(place, old, { haven: layout.haven, digits: options.digits, wallMs });
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
  return index;
}

function forgetOthers(known: Map<string, Entry>, places: readonly ArtefactPlace[]): void {
  const paths = new Set(places.map((place) => place.path));
  for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
}

/** Everything that was found, in order, with what is wrong with it. */
export function toSnapshot(all: readonly Artefact[], found: readonly Problem[]): Snapshot {
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
