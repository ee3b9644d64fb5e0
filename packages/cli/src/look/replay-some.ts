// What each policy would have done in the newest sessions of the period: replayed by the code that ships, in temporary
// directories that are removed again.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Engine } from "@jeeves/cut";
import {
  createDoors,
  createSameOnce,
  createTally,
  openReplay,
  REPLAYED,
  type Replay,
  type ShownOutput,
} from "@jeeves/intercept/replay";
import { guarded, readPlainFile, STORE_WAIT_MS, waitMsOf } from "@jeeves/state";
import type { PolicyFigures } from "@jeeves/viewer";
import type { ClientSession } from "../stats/sessions.ts";
import type { TranscriptFile } from "../stats/transcript-book.ts";

/** Without `--all`, so much of the newest transcripts is replayed. */
const SAMPLE_BYTES = 12 * 1024 * 1024;
/** A larger one is never replayed: it would have to be held whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** The words that JEEVES_POLICY takes, the most careful first. */
export const POLICIES = ["careful", "balanced", "keen"] as const;

/** A session that can be replayed. */
export interface Replayable {
  readonly session: ClientSession;
  readonly file: TranscriptFile;
}

/** The sessions to replay, the newest first, and how many are left out for their size. */
export interface Sample {
  readonly chosen: readonly Replayable[];
  readonly tooLarge: number;
  readonly beyondSample: number;
}

/** Chooses by size and age alone, so that the same transcripts give the same sample. */
export function chooseSample(sessions: readonly ClientSession[], { isAll }: { readonly isAll: boolean }): Sample {
  const known = new Set<string>(REPLAYED.map(({ id }) => id));
  const all = sessions
    .filter(({ client }) => known.has(client))
    .toSorted((a, b) => b.lastMs - a.lastMs || (a.id < b.id ? -1 : 1))
    .flatMap((session) => {
      const main = session.threads.find(({ isSidechain }) => !isSidechain);
      return main === undefined ? [] : [{ session, file: main.file }];
    });
  const small = all.filter(({ file }) => file.bytes <= MAX_FILE_BYTES);
  let left = isAll ? Number.POSITIVE_INFINITY : SAMPLE_BYTES;
  const chosen = small.filter(({ file }) => {
    if (file.bytes > left) return false;
    left -= file.bytes;
    return true;
  });
  return { chosen, tooLarge: all.length - small.length, beyondSample: small.length - chosen.length };
}

/** How a replay works and how it reports progress. */
interface ReplayOptions {
  readonly engine: Engine;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The figures of all policies over the sample. */
export async function replaySample(chosen: readonly Replayable[], options: ReplayOptions) {
  const engine = createSameOnce(options.engine);
  const tallies = POLICIES.map(() => createTally());
  const unreadable: string[] = [];
  await withDoors(engine, async (doors) => {
    for (const [index, { file }] of chosen.entries()) {
      options.signal?.throwIfAborted();
      options.onProgress?.(index, chosen.length);
      try {
        const replay = openReplay(await readGiven(file, options.env));
        for (const [k, each] of doors.entries()) tallies[k]?.add(await replay.run(each));
      } catch (error) {
        unreadable.push(error instanceof Error ? error.message : String(error));
      }
      engine.forget();
    }
  });
  const ends = tallies.map((tally) => Object.values(tally.end().clients));
  const sumOf = (k: number, of: (client: (typeof ends)[number][number]) => number) =>
    (ends[k] ?? []).reduce((sum, client) => sum + of(client), 0);
  const bill = sumOf(0, (client) => client.bill.total);
  const policies = POLICIES.map((policy, k): PolicyFigures => {
    const [saved, net] = [sumOf(k, ({ gross }) => gross), sumOf(k, ({ once }) => once)];
    return {
      policy,
      cuts: sumOf(k, ({ all }) => all.cuts),
      saved: Math.round(saved),
      lost: Math.round(saved - net),
      net: Math.round(net),
      netShare: bill > 0 ? net / bill : 0,
      asked: sumOf(k, ({ all }) => all.asked),
      sessionsThatLose: sumOf(k, ({ sessionsThatLose }) => sessionsThatLose),
      madeVisible: sumOf(k, ({ all }) => all.madeVisible),
    };
  });
  return {
    sessions: sumOf(0, ({ sessions }) => sessions),
    bill,
    results: sumOf(0, ({ all }) => all.outputs),
    policies,
    unreadable,
  };
}

/** One session, and every result of it as the model saw it and as it would have seen it. */
export async function replayOne(
  { file }: Replayable,
  policy: (typeof POLICIES)[number],
  { engine, env }: Pick<ReplayOptions, "engine" | "env">,
): Promise<{ readonly replay: Replay; readonly outputs: readonly ShownOutput[] }> {
  const replay = openReplay(await readGiven(file, env));
  const outputs: ShownOutput[] = [];
  await withDoors(engine, async (doors) => {
    const chosen = doors[POLICIES.indexOf(policy)];
    if (chosen !== undefined) await replay.run(chosen, (shown) => outputs.push(shown));
  });
  return { replay, outputs };
}

async function withDoors(engine: Engine, use: (doors: ReturnType<typeof createDoors>[]) => Promise<void>) {
  const dirs: string[] = [];
  try {
    await mkdir(tmpdir(), { recursive: true });
    for (const policy of POLICIES) dirs.push(await mkdtemp(join(tmpdir(), `jeeves-look-${policy}-`)));
    await use(POLICIES.map((policy, k) => createDoors({ policy, dir: dirs[k] ?? "", engine })));
  } finally {
    for (const dir of dirs) await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function readGiven({ path }: TranscriptFile, env: NodeJS.ProcessEnv) {
  const read = () => readPlainFile(path, { maxBytes: MAX_FILE_BYTES });
  const bytes = await guarded(dirname(path), waitMsOf(env, STORE_WAIT_MS), read);
  if (bytes === undefined) throw new Error(`${path}: it is no longer there`);
  return { name: path, lines: bytes.toString("utf8").split("\n") };
}
