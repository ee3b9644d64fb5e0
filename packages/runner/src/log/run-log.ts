// What a run leaves behind: `<state>/runs/<id>/run.json` (whole at any time) and `events.jsonl` (one object a line, there
// as soon as it happened). A disk that fails never stops a run; what could not be written is counted and reported.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EventRecord, Level } from "@jeeves/kit/events";
import {
  createJournal,
  fallbackStateDir,
  guarded,
  makeDirs,
  openFallbackDir,
  resolveStateDir,
  STORE_WAIT_MS,
  waitMsOf,
  writeFileAtomic,
} from "@jeeves/state";
import { toBoundedFields } from "./bounded-value.ts";

/** With so many records waiting for the disk, `room()` makes their source wait, too. */
const ROOM = 1_000;
// A disk that hangs must neither stop a run nor fill the memory: beyond this many, records are lost.
const MAX_WAITING = 10_000;
const STALLED_MS = 5_000;
const OUTLINE: ReadonlySet<string> = new Set([
  ...["schema_version", "id", "provider", "cwd", "status", "started_at", "ended_at", "owner"],
]);

/** The log of one run. No method throws or rejects: what cannot be written is counted in `lostCount`. */
export interface RunLog {
  readonly id: string;
  /** Undefined where no directory could be made. */
  readonly dir: string | undefined;
  readonly eventsFile: string | undefined;
  /** Records that are not in the file. */
  readonly lostCount: number;
  append(level: Level, event: string, data?: object): EventRecord;
  /** Resolves when there is room for more, or when the disk has not kept up for a while. */
  room(): Promise<void>;
  /** Replaces run.json. */
  save(run: object): void;
  /** Resolves when all records so far are written or counted as lost, or when the disk has not answered for a while. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface RunLogOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly id?: string;
  readonly now?: () => Date;
}

/**
 * Makes the run's directory, in the state directory or else in the private fallback beside it. Without either, the run goes
 * on and every record counts as lost.
 */
export async function openRunLog({ env, id: given, now = () => new Date() }: RunLogOptions): Promise<RunLog> {
  const id = given ?? newRunId(now());
  const dir = await makeRunDir(id, env);
  const eventsFile = dir === undefined ? undefined : join(dir, "events.jsonl");
  const journal = eventsFile === undefined ? undefined : createJournal(eventsFile);
  let lostCount = 0;
  let waiting = 0;
  let isStalled = false;
  let written: Promise<void> = Promise.resolve();
  let saved: Promise<void> = Promise.resolve();

  const append: RunLog["append"] = (level, event, data = {}) => {
    const record: EventRecord = {
      ts: now().toISOString(),
      level,
      event,
      data: { run_id: id, ...toBoundedFields(data) },
    };
    if (journal === undefined || waiting >= MAX_WAITING) lostCount++;
    else {
      waiting++;
      written = journal
        .append(record)
        .catch(() => void lostCount++)
        .finally(() => waiting--);
    }
    return record;
  };

  const flush = async () => {
    if (isStalled) return;
    // Guarded, so that `hasOverdueWork` knows of a call that hangs.
    const done = guarded(`${dir} (run)`, waitMsOf(env, STALLED_MS), () => Promise.all([written, saved]));
    isStalled = await done.then(
      () => false,
      () => true,
    );
  };

  return {
    id,
    dir,
    eventsFile,
    get lostCount() {
      return lostCount;
    },
    append,
    async room() {
      if (waiting < ROOM) isStalled = false;
      else if (!isStalled) isStalled = !(await isWithin(written, STALLED_MS));
    },
    save(run) {
      if (dir === undefined) return;
      const fields = toBoundedFields(run);
      saved = saved.then(() => writeRun(dir, fields)).catch(() => {});
    },
    flush,
    async close() {
      await flush();
      // The disk may have room again.
      if (lostCount > 0) append("warn", "run.events_lost", { count: lostCount });
      await flush();
      if (!isStalled) await journal?.close().catch(() => {});
    },
  };
}

async function writeRun(dir: string, run: object): Promise<void> {
  const file = join(dir, "run.json");
  try {
    await makeDirs(dir, { mode: 0o700 }); // it may have been removed
    await writeFileAtomic(file, toText(run));
  } catch {
    await overwrite(file, run);
  }
}

function toText(run: object): string {
  return `${JSON.stringify(run, null, 2)}\n`;
}

/**
 * A full disk has no room for a second file, and the present one would report a running run for ever. So it is overwritten
 * in place; its answer, its prompt and its figures, in this order, are left out until it fits. Blanks fill the rest: what
 * a smaller file gave back would be missing when the end of the run is written.
 */
async function overwrite(file: string, run: object): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    const { text: _answer, ...withoutAnswer } = { text: undefined, ...run };
    const { prompt: _prompt, ...withoutTexts } = { prompt: undefined, ...withoutAnswer };
    const bytes = [run, withoutAnswer, withoutTexts, outlineOf(run)]
      .flatMap((each) => [toText(each), `${JSON.stringify(each)}\n`])
      .map((text) => Buffer.from(text))
      .find(({ length }) => length <= size);
    // Written in one call: a reader finds the old text or the new one.
    if (bytes !== undefined)
      await handle.write(Buffer.concat([bytes, Buffer.alloc(size - bytes.length, " ")]), 0, size, 0);
  } finally {
    await handle.close();
  }
}

/** Which run it is and how it ended: shorter than any file of a run that began. */
function outlineOf(run: object): object {
  return Object.fromEntries(Object.entries(run).filter(([name]) => OUTLINE.has(name)));
}

async function isWithin(done: Promise<unknown>, waitMs: number): Promise<boolean> {
  const stop = new AbortController();
  const late = delay(waitMs, false, { signal: stop.signal }).catch(() => false);
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    stop.abort();
  }
}

/** Sorts by time, and is a file name everywhere. */
function newRunId(at: Date): string {
  const time = at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "");
  return `${time}-${randomBytes(4).toString("hex")}`;
}

async function makeRunDir(id: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const usual = join(resolveStateDir(env), "runs", id);
  const waitMs = waitMsOf(env, STORE_WAIT_MS);
  try {
    await guarded(resolveStateDir(env), waitMs, () => makeDirs(usual, { mode: 0o700 }));
    return usual;
  } catch {
    return guarded(fallbackStateDir(env), waitMs, () => makeFallbackDir(id, env)).catch(() => undefined);
  }
}

/** where other users can write, only a directory that is ours alone is used. */
async function makeFallbackDir(id: string, env: NodeJS.ProcessEnv): Promise<string> {
  const dir = join(await openFallbackDir(env), "runs", id);
  await makeDirs(dir, { mode: 0o700 });
  return dir;
}
