// The log files of a haven (RU-09). A line is acknowledged once it is in the file, whole; a line that could not be
// written whole is taken back. All writers hold the haven's lock; readers do not.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "@jeeves/state";
import { formatLogLine, type LogLine, parseLog, parseLogLine } from "../memory/log-line.ts";
import { systemCodeOf } from "../rudder-error.ts";
import type { Layout } from "./layout.ts";

/** A task log on its way into its epic's log of so many bytes: `T042.sync-1234.log`. */
const STAGED = /^(T\d+)\.sync-(\d+)\.log$/;

export function appendLine(path: string, line: string): void {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  try {
    const { size } = fstatSync(descriptor);
    // Someone's editor, or a machine that lost power, left a line without its end.
    const gap = size > 0 && lastByte(descriptor, size) !== 0x0a ? "\n" : "";
    const bytes = Buffer.from(`${gap}${line}\n`);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

function lastByte(descriptor: number, size: number): number {
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, size - 1);
  return byte[0] ?? 0;
}

/**
 * Task log → staged file → epic log. The epic log is replaced in one rename, and the staged file's name tells how long
 * it was before: after a crash anywhere, whoever looks knows whether the lines have arrived.
 */
export async function syncTaskLog(layout: Layout, taskId: string, epicId: string): Promise<number> {
  let count = 0;
  for (const name of stagedOf(layout, taskId)) count += await deliver(layout, { name, taskId, epicId });
  const path = layout.log(taskId);
  if (readIfThere(path) === undefined) return count;
  const before = Buffer.byteLength(readIfThere(layout.log(epicId)) ?? "");
  const name = `${taskId}.sync-${before}.log`;
  renameSync(path, join(layout.memory, name));
  return count + (await deliver(layout, { name, taskId, epicId }));
}

async function deliver(
  layout: Layout,
  staged: { readonly name: string; readonly taskId: string; readonly epicId: string },
): Promise<number> {
  const path = join(layout.memory, staged.name);
  const lines = parseLog(readIfThere(path) ?? "").map((line) => toEpicLine(line, staged.taskId));
  const block = lines.map((line) => `${line}\n`).join("");
  const old = readIfThere(layout.log(staged.epicId)) ?? "";
  const before = Number(STAGED.exec(staged.name)?.[2] ?? 0);
  const arrived = Buffer.from(old).subarray(before).toString("utf8").includes(block);
  if (block !== "" && !arrived) {
    const gap = old === "" || old.endsWith("\n") ? "" : "\n";
    await writeFileAtomic(layout.log(staged.epicId), `${old}${gap}${block}`);
  }
  rmSync(path, { force: true });
  return lines.length;
}

function toEpicLine(line: LogLine, taskId: string): string {
  // What no parser understood still belongs to its task; an empty time would make it unreadable for good.
  const at = line.at === "" ? "-" : line.at;
  return formatLogLine({ ...line, at, taskId });
}

export function pendingTasks(layout: Layout): string[] {
  const ids = namesIn(layout.memory).map((name) => /^(T\d+)(?:\.sync-\d+)?\.log$/.exec(name)?.[1]);
  return [...new Set(ids.filter((id) => id !== undefined))].sort();
}

/** In the direction in which lines move, so that a sync that runs meanwhile hides none. */
export function readTaskLog(layout: Layout, taskId: string): LogLine[] {
  const own = [readIfThere(layout.log(taskId)) ?? ""];
  for (const name of stagedOf(layout, taskId)) own.push(readIfThere(join(layout.memory, name)) ?? "");
  const synced: string[] = [];
  for (const name of namesIn(layout.memory)) {
    if (!/^E\d+\.log$/.test(name)) continue;
    const text = readIfThere(join(layout.memory, name)) ?? "";
    for (const line of text.split("\n")) if (line.includes(` [${taskId}] [`)) synced.push(line);
  }
  const seen = new Set(synced);
  const lines = own.flatMap(parseLog).map((line) => ({ ...line, taskId }));
  const pending = lines.filter((line) => !seen.has(formatLogLine(line)));
  return [...synced.map(parseLogLine), ...pending];
}

export function readUnsynced(layout: Layout, taskIds: readonly string[]): LogLine[] {
  const wanted = new Set(taskIds);
  return namesIn(layout.memory).flatMap((name) => {
    const taskId = /^(T\d+)\.log$/.exec(name)?.[1] ?? "";
    if (!wanted.has(taskId)) return [];
    return parseLog(readIfThere(join(layout.memory, name)) ?? "").map((line) => ({ ...line, taskId }));
  });
}

export function readEpicLog(layout: Layout, epicId: string): LogLine[] {
  return parseLog(readIfThere(layout.log(epicId)) ?? "");
}

function stagedOf(layout: Layout, taskId: string): string[] {
  return namesIn(layout.memory).filter((name) => STAGED.exec(name)?.[1] === taskId);
}

/** Sorted; none where there is no such directory. */
export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
