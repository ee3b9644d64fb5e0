// The transcripts of every client on this machine, as numbers. A file is read again only after it has changed, so that a
// page can ask again and again.
import type { Stats } from "node:fs";
import { CLIENTS, type ClientId, clientHomeOf } from "@jeeves/base";
import { type PricedCall, priceCalls } from "@jeeves/cut";
import { contextCallsOf, readTranscript, type Thread } from "@jeeves/intercept";
import { reportFault, STORE_WAIT_MS, waitMsOf } from "@jeeves/state";
import { filesLike, type SearchBound } from "../files-like.ts";

const MAX_DIRS = 20_000;
/** The newest; a month of hard work has some hundreds. */
const MAX_FILES = 10_000;

/** A thread with its prices. */
export interface PricedThread extends Thread {
  readonly client: ClientId;
  readonly priced: readonly PricedCall[];
}

/** What the transcripts of a period hold. */
export interface Transcripts {
  /** Of the file that was written to first, first. */
  readonly threads: readonly PricedThread[];
  readonly files: number;
  /** Files that cannot be read: no regular file, no permission, a disk that does not answer. */
  readonly unreadable: number;
  /** Files without any usage that we understand. */
  readonly withoutUsage: number;
  /** Older files beyond the limit. */
  readonly leftOut: number;
}

/** Reads transcripts and remembers what they held. */
export interface TranscriptBook {
  /** Those that were written to since then. */
  read(range: { readonly sinceMs: number; readonly signal?: AbortSignal }): Promise<Transcripts>;
}

interface FoundFile {
  readonly client: ClientId;
  readonly path: string;
  readonly stats: Stats;
}

/** Opens the transcripts of the user of this environment. */
export function openTranscriptBook(env: NodeJS.ProcessEnv): TranscriptBook {
  const waitMs = waitMsOf(env, STORE_WAIT_MS);
  const known = new Map<string, { readonly stamp: string; readonly threads: readonly PricedThread[] }>();

  async function threadsOf({ client, path, stats }: FoundFile, signal?: AbortSignal): Promise<readonly PricedThread[]> {
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const found = known.get(path);
    if (found?.stamp === stamp) return found.threads;
    const options = { waitMs, atMs: stats.mtimeMs, ...(signal === undefined ? {} : { signal }) };
    const { threads = [] } = (await readTranscript(path, options)) ?? {};
    const priced = threads.map((thread) => ({
      ...thread,
      client,
      priced: priceCalls(contextCallsOf(thread.calls)),
    }));
    known.set(path, { stamp, threads: priced });
    return priced;
  }

  return {
    async read({ sinceMs, signal }) {
      const { files, leftOut } = await findTranscripts(env, { sinceMs, waitMs });
      const threads: PricedThread[] = [];
      let [unreadable, withoutUsage] = [0, 0];
      for (const file of files) {
        signal?.throwIfAborted();
        try {
          const found = await threadsOf(file, signal);
          if (found.length === 0 && file.stats.size > 0) withoutUsage++;
          threads.push(...found);
        } catch (error) {
          signal?.throwIfAborted();
          unreadable++;
          reportFault("transcript", file.path, error);
        }
      }
      return { threads, files: files.length, unreadable, withoutUsage, leftOut };
    },
  };
}

async function findTranscripts(
  env: NodeJS.ProcessEnv,
  { sinceMs, waitMs }: { readonly sinceMs: number; readonly waitMs: number },
): Promise<{ readonly files: readonly FoundFile[]; readonly leftOut: number }> {
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
  return { files: newest.reverse(), leftOut: found.length - newest.length };
}
