// A whole transcript of any client, as numbers. Read in pieces, so that its size does not matter; lines that are
// torn, too long or of an unknown form are skipped; anything but a regular file is refused.
import { basename, dirname } from "node:path";
import { createLineReader, type LineBlock, textLinesOf } from "@jeeves/base";
import { guarded, openPlainFile } from "@jeeves/state";
import { readRecord } from "./focus/read-record.ts";
import { createThreads, type Thread } from "./transcript/thread.ts";

const CHUNK_BYTES = 1024 * 1024;
/** No client writes longer lines, because results are bounded. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** The content of a transcript file. */
export interface Transcript {
  readonly threads: readonly Thread[];
  /** Lines that are torn, too long, or of a form that we do not know. */
  readonly skippedLines: number;
  /** Of these, the lines that are not JSON or are longer than any client writes. */
  readonly tornLines: number;
  readonly longLines: number;
}

/**
 * Reads a transcript; undefined where there is no such file. Rejects for anything but a regular file, and with a StateError
 * where one step takes longer than `waitMs`.
 */
export async function readTranscript(
  file: string,
  { waitMs, atMs, signal }: { readonly waitMs: number; readonly atMs: number; readonly signal?: AbortSignal },
): Promise<Transcript | undefined> {
  const dir = dirname(file);
  const opened = await guarded(dir, waitMs, () => openPlainFile(file));
  if (opened === undefined) return undefined;
  const { handle, size } = opened;
  const threads = createThreads({ session: sessionIn(file), atMs });
  let [skippedLines, tornLines, longLines] = [0, 0, 0];
  const take = (blocks: readonly LineBlock[]): void => {
    for (const block of blocks) {
      if (block.kind === "oversized") {
        skippedLines++;
        longLines++;
      } else
        for (const line of textLinesOf(block.bytes)) {
          if (takeLine(line)) continue;
          skippedLines++;
          if (line.trim() !== "" && isTorn(line)) tornLines++;
        }
    }
  };
  const takeLine = (line: string): boolean => {
    const record = line.trim() === "" ? undefined : readRecord(line);
    if (record !== undefined) threads.add(record);
    return record !== undefined;
  };
  try {
    const lines = createLineReader({ maxBytes: MAX_LINE_BYTES });
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
    for (let position = 0; position < size; ) {
      signal?.throwIfAborted();
      // Only up to its size at the start: a running session writes on.
      const length = Math.min(buffer.length, size - position);
      const { bytesRead } = await guarded(dir, waitMs, () => handle.read(buffer, 0, length, position));
      if (bytesRead === 0) break;
      position += bytesRead;
      take(lines.push(buffer.subarray(0, bytesRead)));
    }
    take(lines.end());
  } finally {
    handle.close().catch(() => {});
  }
  return { threads: threads.end(), skippedLines, tornLines, longLines };
}

function isTorn(line: string): boolean {
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}

/** Clients name the file after the session: ID.jsonl, or rollout-TIME-ID.jsonl. */
function sessionIn(file: string): string {
  const name = basename(file, ".jsonl");
  return /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.exec(name)?.[0] ?? name;
}
