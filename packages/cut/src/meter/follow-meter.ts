// Follows what any process writes to the meter: hooks in this one, servers, jeeves-exec in a sandbox. Each line is read
// once; a journal that cannot be read is reported as a fault.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { BOOKKEEPING_WAIT_MS, guarded, openPlainFile, reportFault, waitMsOf } from "@jeeves/state";
import { isMeterEntry, type MeterEntry, meterFiles } from "./meter.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** Reads the meter as it grows. */
export interface MeterFollower {
  /** The entries since the last call, up to 4 MiB of each file at a time. Never rejects. */
  readNew(): Promise<readonly MeterEntry[]>;
}

/** Follows the meter from its current end, or from its start. Never rejects. */
export async function followMeter(
  env: NodeJS.ProcessEnv,
  { from = "end" }: { readonly from?: "start" | "end" } = {},
): Promise<MeterFollower> {
  const readTo = new Map<string, number>();
  const waitMs = waitMsOf(env, BOOKKEEPING_WAIT_MS);
  if (from === "end") {
    for (const file of await meterFiles(env)) {
      const stats = await guarded(dirname(file), waitMs, () => stat(file)).catch(() => undefined);
      readTo.set(file, stats?.size ?? 0);
    }
  }
  let reading: Promise<readonly MeterEntry[]> = Promise.resolve([]);

  async function read(): Promise<readonly MeterEntry[]> {
    const found: MeterEntry[] = [];
    for (const file of await meterFiles(env)) {
      const from = readTo.get(file) ?? 0;
      const { lines, to } = await guarded(dirname(file), waitMs, () => wholeLines(file, from)).catch(
        (error: unknown) => {
          reportFault("meter", file, error);
          return { lines: [], to: from };
        },
      );
      readTo.set(file, to);
      for (const line of lines) {
        const entry = parse(line);
        if (entry !== undefined) found.push(entry);
      }
    }
    return found;
  }

  return {
    // One after the other: two concurrent reads would return a line twice.
    readNew() {
      reading = reading.then(read, read);
      return reading;
    },
  };
}

async function wholeLines(
  file: string,
  from: number,
): Promise<{ readonly lines: readonly string[]; readonly to: number }> {
  const opened = await openPlainFile(file);
  if (opened === undefined) return { lines: [], to: 0 };
  const { handle, size } = opened;
  try {
    const length = Math.min(size - from, MAX_BYTES);
    if (length <= 0) return { lines: [], to: Math.min(from, size) };
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    const end = buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
    // A line of this size is not ours.
    if (end === 0) return { lines: [], to: bytesRead === MAX_BYTES ? from + bytesRead : from };
    return { lines: buffer.subarray(0, end).toString("utf8").split("\n"), to: from + end };
  } finally {
    await handle.close();
  }
}

function parse(line: string): MeterEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null && isMeterEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}
