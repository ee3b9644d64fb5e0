// The transcripts of every client on this machine, as numbers. A file is read again only after it has changed, so that a
// page can ask again and again.
import type { Stats } from "node:fs";
import { join } from "node:path";
import { CLIENTS, type ClientId, clientHomeOf } from "@jeeves/base";
import { type PricedCall, priceCalls } from "@jeeves/cut";
import { contextCallsOf, readTranscript, type Thread } from "@jeeves/intercept";
import { reportFault, STORE_WAIT_MS, waitMsOf } from "@jeeves/state";
import { filesLike, type SearchBound } from "../files-like.ts";

const MAX_DIRS = 20_000;
/** The newest; a month of hard work has some hundreds. */
const MAX_FILES = 10_000;

/** A transcript on this machine. */
export interface TranscriptFile {
  readonly path: string;
  readonly bytes: number;
}

/** A thread with its prices. */
export interface PricedThread extends Thread {
  readonly client: ClientId;
  readonly file: TranscriptFile;
  readonly priced: readonly PricedCall[];
}

/** What the transcripts of a period hold. */
export interface Transcripts {
  /** In the order in which their files were last written, the oldest first. */
  readonly threads: readonly PricedThread[];
  readonly files: number;
  /** Files that cannot be read: no regular file, no permission, a disk that does not answer. */
  readonly unreadable: number;
  /** Files without any usage that we understand. */
  readonly withoutUsage: number;
  /** Older files beyond the limit. */
  readonly leftOut: number;
  /** Lines that are no JSON, as after a crash, and lines that are longer than any client writes. */
  readonly tornLines: number;
  readonly longLines: number;
  /** Clients that write transcripts and have none here of this period, and where they would be. */
  readonly without: readonly { readonly client: ClientId; readonly title: string; readonly place: string }[];
}

/** Reads transcripts and remembers what they held. */
export interface TranscriptBook {
  /** Those that were written to since then. */
  read(range: {
    readonly sinceMs: number;
    readonly signal?: AbortSignal;
    readonly onProgress?: (done: number, total: number) => void;
  }): Promise<Transcripts>;
}

interface ReadFile {
  readonly threads: readonly PricedThread[];
  readonly tornLines: number;
  readonly longLines: number;
}

interface FoundFile {
  readonly client: ClientId;
  readonly path: string;
  readonly stats: Stats;
}

/** Opens the transcripts of the user of this environment. */
export function openTranscriptBook(env: NodeJS.ProcessEnv): TranscriptBook {
  const waitMs = waitMsOf(env, STORE_WAIT_MS);
  const known = new Map<string, ReadFile & { readonly stamp: string }>();

  async function read({ client, path, stats }: FoundFile, signal?: AbortSignal): Promise<ReadFile> {
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const found = known.get(path);
    if (found?.stamp === stamp) return found;
    const options = { waitMs, atMs: stats.mtimeMs, ...(signal === undefined ? {} : { signal }) };
    const { threads = [], tornLines = 0, longLines = 0 } = (await readTranscript(path, options)) ?? {};
    const file = { path, bytes: stats.size };
    const priced = threads.map((thread) => ({
      ...thread,
      client,
      file,
      priced: priceCalls(contextCallsOf(thread.calls)),
    }));
    const whole = { stamp, threads: priced, tornLines, longLines };
    known.set(path, whole);
    return whole;
  }

  return {
    async read({ sinceMs, signal, onProgress }) {
      const { files, leftOut, without } = await findTranscripts(env, { sinceMs, waitMs });
      const threads: PricedThread[] = [];
      let [unreadable, withoutUsage, tornLines, longLines] = [0, 0, 0, 0];
      for (const [index, file] of files.entries()) {
        signal?.throwIfAborted();
        onProgress?.(index, files.length);
        try {
          const found = await read(file, signal);
          if (found.threads.length === 0 && file.stats.size > 0) withoutUsage++;
          tornLines += found.tornLines;
          longLines += found.longLines;
          threads.push(...found.threads);
        } catch (error) {
          signal?.throwIfAborted();
          unreadable++;
          reportFault("transcript", file.path, error);
        }
      }
      return { threads, files: files.length, unreadable, withoutUsage, leftOut, tornLines, longLines, without };
    },
  };
}

async function findTranscripts(
  env: NodeJS.ProcessEnv,
  { sinceMs, waitMs }: { readonly sinceMs: number; readonly waitMs: number },
): Promise<{ readonly files: readonly FoundFile[] } & Pick<Transcripts, "leftOut" | "without">> {
  const found: FoundFile[] = [];
  const onFault = (path: string, error: unknown) => reportFault("transcript", path, error);
  for (const traits of CLIENTS) {
    const bound: SearchBound = { dirsLeft: MAX_DIRS, waitMs, onFault };
    for (const pattern of [traits.transcripts, traits.subagentTranscripts]) {
      if (pattern === undefined) continue;
      const any = pattern.replace("ID", "*").replace("*-*", "*");
      for await (const { path, stats } of filesLike(clientHomeOf(traits, env), any, bound))
        if (stats.mtimeMs >= sinceMs && !stats.isDirectory()) found.push({ client: traits.id, path, stats });
    }
  }
  const newest = found.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs).slice(0, MAX_FILES);
  const without = CLIENTS.flatMap((traits) => {
    const { id, title, transcripts } = traits;
    if (transcripts === undefined || found.some(({ client }) => client === id)) return [];
    return [{ client: id, title, place: join(clientHomeOf(traits, env), transcripts.replace(/\/\*.*$/, "")) }];
  });
  return { files: newest.reverse(), leftOut: found.length - newest.length, without };
}
