// The artefacts of a haven as a server keeps them: every file is read once, and again only when the system reports a
// change. What was missed is found by looking: at the directories every quarter of a minute, at every file once a
// minute. Queries cost what they ask for, not what the haven holds.
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, ArtefactPlace, Problem } from "../../artefact/artefact.ts";
import { noteRevision } from "../../artefact/revisions.ts";
import { FOLDER_OF, type Layout } from "../layout.ts";
import type { Snapshot } from "../store.ts";
import { type ArtefactIndex, type ArtefactIndexOptions, createArtefactIndex } from "./artefact-index.ts";
import { CACHE_VERSION, type Entry, inOrder, missingParent, readCache, readEntry, writeCache } from "./entries.ts";
import { createRelations } from "./relations.ts";
import { createScanner, placeOfPath } from "./scan.ts";
import { createDirWatches } from "./watch-dirs.ts";

const LOOK_AT_DIRS_MS = 15_000;
const LOOK_AT_FILES_MS = 60_000;
/** Files looked at in one turn of the event loop. */
const SLICE = 250;
const MAX_TEXTS = 256;

/** A live index; it falls back to looking at everything where the system cannot watch. */
export function createLiveIndex(layout: Layout, options: ArtefactIndexOptions): ArtefactIndex {
  const plain = createArtefactIndex(layout, options);
  const wallMs = options.wallMs ?? Date.now;
  const entryOptions = { haven: layout.haven, digits: options.digits, wallMs };
  const key = `${CACHE_VERSION} ${JSON.stringify(options.digits)}`;
  const scan = createScanner(layout, { digits: options.digits });
  const entries = new Map<string, Entry>();
  const relations = createRelations();
  let strays: readonly Problem[] = [];
  let dirTimes = "";
  const dirty = new Set<string>();
  let isStructureDirty = true;
  let isStarted = false;
  let isStarting = false;
  let isClosed = false;
  let isBlind = false;
  let lookedAtMs = 0;
  let last: Snapshot | undefined;
  /** What changed since `last` was made: fields of known artefacts, or more than that. */
  const touched = new Set<string>();
  let isReordered = true;
  let isProblemsDirty = true;

  const watches = createDirWatches(
    (dir, name) => {
      const path = name === undefined ? undefined : `${dir.slice(layout.haven.length + 1)}/${name}`;
      if (path !== undefined && placeOfPath(path, options.digits) !== undefined) dirty.add(path);
      else if (name === undefined || !name.startsWith(".tmp-")) isStructureDirty = true;
    },
    () => {
      isBlind = true;
    },
  );
  const timer = setInterval(() => void lookAtFiles(), LOOK_AT_FILES_MS);
  timer.unref();

  /** Files that changed just now are kept with their text, but only so many: the others are parsed once more. */
  const racy = new Set<string>();
  function boundTexts(path: string, entry: Entry | undefined): void {
    racy.delete(path);
    if (entry?.text !== undefined) racy.add(path);
    const [oldest] = racy;
    const old = racy.size > MAX_TEXTS && oldest !== undefined ? entries.get(oldest) : undefined;
    if (oldest === undefined || old === undefined) return;
    racy.delete(oldest);
    entries.set(oldest, { stamp: [0, 0, 0, 0], artefact: old.artefact });
  }

  function put(place: ArtefactPlace, entry: Entry | undefined): void {
    const old = entries.get(place.path);
    if (entry === old) return;
    if (entry === undefined) entries.delete(place.path);
    else entries.set(place.path, entry);
    boundTexts(place.path, entry);
    if (entry?.artefact === old?.artefact) return;
    const change = relations.replace(place, entry?.artefact);
    if (change.isReordered) isReordered = true;
    if (change.isReordered || (old?.artefact.problems.length ?? 0) + (entry?.artefact.problems.length ?? 0) > 0) {
      isProblemsDirty = true;
    }
    touched.add(place.id);
  }

  function readPath(path: string): void {
    const place = placeOfPath(path, options.digits);
    if (place === undefined) return;
    const stats = lstatSync(join(layout.haven, path), { throwIfNoEntry: false });
    // A link or a directory, now or before, is a problem that only the structure tells.
    if (stats?.isFile() === false || strays.some((stray) => stray.path === path)) isStructureDirty = true;
    put(place, stats?.isFile() === true ? readEntry(place, entries.get(path), entryOptions) : undefined);
  }

  /** Directories and names; a file that was known is not read again for it. */
  function readStructure(): void {
    isStructureDirty = false;
    const found = scan();
    watchAll(found.places);
    if (JSON.stringify(strays) !== JSON.stringify(found.problems)) isProblemsDirty = true;
    strays = found.problems;
    const paths = new Set<string>();
    for (const place of found.places) {
      paths.add(place.path);
      if (!entries.has(place.path)) put(place, readEntry(place, known?.get(place.path), entryOptions));
    }
    for (const path of entries.keys()) {
      const place = paths.has(path) ? undefined : placeOfPath(path, options.digits);
      if (place !== undefined) put(place, undefined);
    }
  }

  function watchAll(places: readonly ArtefactPlace[]): void {
    watches.add(layout.prds);
    const folders = new Set(places.map(({ path }) => path.split("/")[2] ?? ""));
    for (const folder of folders) {
      watches.add(join(layout.prds, folder));
      for (const below of Object.values(FOLDER_OF)) {
        const dir = join(layout.prds, folder, below);
        if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) watches.add(dir);
      }
    }
    dirTimes = timesOf(folders);
  }

  function timesOf(folders: Iterable<string>): string {
    const dirs = [layout.prds];
    for (const folder of folders) {
      dirs.push(
        join(layout.prds, folder),
        ...Object.values(FOLDER_OF).map((below) => join(layout.prds, folder, below)),
      );
    }
    return dirs.map((dir) => statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(" ");
  }

  let known: ReadonlyMap<string, Entry> | undefined;

  async function start(): Promise<void> {
    isStarted = true;
    known = readCache(layout.indexCache, key);
    readStructure();
    // A file that changed while it was read, before its directory was watched, is read once more.
    for (const [path, entry] of entries) if (entry.text !== undefined || entry.stamp[0] === 0) dirty.add(path);
    const isWorthKeeping = entries.size > (known?.size ?? 0) + 15;
    known = undefined;
    if (isWorthKeeping) await writeCache(layout.indexCache, { key, entries });
  }

  async function refresh(): Promise<boolean> {
    if (isBlind) return false;
    if (!isStarted) await start();
    await watches.settled();
    const nowMs = performance.now();
    if (nowMs - lookedAtMs > LOOK_AT_DIRS_MS) {
      lookedAtMs = nowMs;
      const folders = new Set([...entries.keys()].map((path) => path.split("/")[2] ?? ""));
      if (timesOf(folders) !== dirTimes) {
        isStructureDirty = true;
        dirTimes = timesOf(folders);
      }
    }
    if (dirty.size > 0) {
      const paths = [...dirty];
      dirty.clear();
      for (const path of paths) readPath(path);
    }
    if (isStructureDirty) readStructure();
    return !isBlind;
  }

  /** A server that only gets changes is never asked a query: without this each of them would search all directories. */
  function startSoon(): void {
    if (isStarted || isBlind || isStarting) return;
    isStarting = true;
    setImmediate(() => {
      // The next query fails with the same error.
      if (!isClosed) refresh().catch(() => undefined);
    });
  }

  /** In slices, so that no call waits for it. */
  async function lookAtFiles(): Promise<void> {
    if (!isStarted || isBlind) return;
    const paths = [...entries.keys()];
    for (let from = 0; from < paths.length; from += SLICE) {
      for (const path of paths.slice(from, from + SLICE)) readPath(path);
      await watches.settled();
    }
    isStructureDirty = true;
  }

  function makeSnapshot(): Snapshot {
    if (last !== undefined && touched.size === 0 && !isReordered && !isProblemsDirty) return last;
    let artefacts: readonly Artefact[];
    if (last === undefined || isReordered) artefacts = inOrder(relations.all());
    else {
      const next = [...last.artefacts];
      const changed: number[] = [];
      for (const id of touched) {
        const at = relations.placeOf(id);
        const artefact = relations.get(id);
        if (at === undefined || artefact === undefined) continue;
        next[at] = artefact;
        changed.push(at);
      }
      if (changed.length > 0) noteRevision(next, { from: last.artefacts, changed });
      artefacts = changed.length > 0 ? next : last.artefacts;
    }
    if (isReordered) relations.order(artefacts);
    const problems = isProblemsDirty || last === undefined ? allProblems(artefacts) : last.problems;
    touched.clear();
    isReordered = false;
    isProblemsDirty = false;
    last = { artefacts, problems };
    return last;
  }

  function allProblems(artefacts: readonly Artefact[]): readonly Problem[] {
    const problems: Problem[] = [...strays];
    for (const [id, paths] of relations.doubles()) {
      for (const path of paths.slice(1)) {
        const message = `${id} is also the id of ${paths[0]}; one of them needs another`;
        problems.push({ code: "duplicate_id", path, message });
      }
    }
    for (const { artefact } of entries.values()) problems.push(...artefact.problems);
    const byId = { has: (id: string) => relations.get(id) !== undefined };
    for (const artefact of artefacts) {
      const problem = missingParent(artefact, byId);
      if (problem !== undefined) problems.push(problem);
    }
    return problems;
  }

  return {
    knownPath: (id) => (isBlind ? plain.knownPath(id) : relations.onlyPath(id)),
    searchPaths(id, kind) {
      startSoon();
      return plain.searchPaths(id, kind);
    },
    async snapshot() {
      return (await refresh()) ? makeSnapshot() : plain.snapshot();
    },
    async find(id) {
      return (await refresh()) ? relations.get(id) : plain.find(id);
    },
    async tasksOf(epicId) {
      return (await refresh()) ? relations.tasksOf(epicId) : plain.tasksOf(epicId);
    },
    async dependentsOf(id) {
      return (await refresh()) ? relations.dependentsOf(id) : plain.dependentsOf(id);
    },
    noteWritten(paths) {
      if (isBlind) plain.noteWritten(paths);
      if (!isStarted) return;
      for (const path of paths) {
        const inside = path.slice(layout.haven.length + 1);
        if (placeOfPath(inside, options.digits) === undefined) continue;
        if (entries.has(inside)) readPath(inside);
        else isStructureDirty = true;
      }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      watches.close();
    },
  };
}
