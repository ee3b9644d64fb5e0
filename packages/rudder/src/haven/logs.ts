// The log files of a haven (RU-09). A line is acknowledged once it is in the file, whole; a line that could not be
// written whole is taken back. All writers hold the haven's lock; readers do not.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "@jeeves/state";
import { readId } from "../ids.ts";
import { formatLogLine, type LogLine, parseLog, parseLogLine } from "../memory/log-line.ts";
import { fileIdOf, type Layout } from "./layout.ts";
import { inTheWay, namesIn, readBytesIfThere, readIfThere } from "./read-if-there.ts";

/** A task log on its way into its epic's log of so many bytes: `T042.sync-1234.log`. */
const STAGED = /^(T\d+)\.sync-(\d+)\.log$/;

export function appendLine(path: string, line: string): void {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  try {
    const stats = fstatSync(descriptor);
    // What is written into a pipe is there for nobody.
    if (!stats.isFile()) throw inTheWay(path);
    const { size } = stats;
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
  const before = readBytesIfThere(layout.log(epicId))?.length ?? 0;
  const name = `${fileIdOf(taskId)}.sync-${before}.log`;
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
  const old = readBytesIfThere(layout.log(staged.epicId)) ?? Buffer.alloc(0);
  const before = Number(STAGED.exec(staged.name)?.[2] ?? 0);
  if (block !== "" && !old.subarray(before).includes(block)) {
    const gap = old.length === 0 || old.at(-1) === 0x0a ? "" : "\n";
    // The old bytes as they are: whatever somebody else wrote there stays.
    await writeFileAtomic(layout.log(staged.epicId), Buffer.concat([old, Buffer.from(`${gap}${block}`)]));
  }
  rmSync(path, { force: true });
  return lines.length;
}

function toEpicLine(line: LogLine, taskId: string): string {
  // What no parser understood still belongs to its task; an empty time would make it unreadable for good.
  const at = line.at === "" ? "-" : line.at;
  return formatLogLine({ ...line, at, taskId });
}

/** As their files are called. */
export function pendingTasks(layout: Layout): string[] {
  const ids = namesIn(layout.memory).map((name) => /^(T\d+)(?:\.sync-\d+)?\.log$/.exec(name)?.[1]);
  return [...new Set(ids.filter((id) => id !== undefined))].sort();
}

/** In the direction in which lines move, so that a sync that runs meanwhile hides none. */
export function readTaskLog(layout: Layout, taskId: string): LogLine[] {
  const own = [readIfThere(layout.log(taskId)) ?? ""];
  for (const name of stagedOf(layout, taskId)) own.push(readIfThere(join(layout.memory, name)) ?? "");
  const synced = namesIn(layout.memory)
    .filter((name) => /^E\d+\.log$/.test(name))
    .flatMap((name) => linesOf(readIfThere(join(layout.memory, name)) ?? "", taskId))
    .map((line) => ({ ...line, taskId }));
  const seen = new Set(synced.map(formatLogLine));
  const lines = own.flatMap(parseLog).map((line) => ({ ...line, taskId }));
  return [...synced, ...lines.filter((line) => !seen.has(formatLogLine(line)))];
}

/** An epic's log may be long: only a line that names the task is parsed. Others may name it too, in their message. */
function linesOf(epicLog: string, taskId: string): LogLine[] {
  const number = readId(taskId)?.number;
  const named = new RegExp(` \\[T0*${number}\\] \\[`);
  const lines = epicLog.split("\n").filter((line) => named.test(line));
  return lines.map(parseLogLine).filter((line) => readId(line.taskId ?? "")?.number === number);
}

export function readUnsynced(layout: Layout, taskIds: readonly string[]): LogLine[] {
  const wanted = new Map(taskIds.map((taskId) => [`${fileIdOf(taskId)}.log`, taskId]));
  return namesIn(layout.memory).flatMap((name) => {
    const taskId = wanted.get(name);
    if (taskId === undefined) return [];
    return parseLog(readIfThere(join(layout.memory, name)) ?? "").map((line) => ({ ...line, taskId }));
  });
}

export function readEpicLog(layout: Layout, epicId: string): LogLine[] {
  return parseLog(readIfThere(layout.log(epicId)) ?? "");
}

function stagedOf(layout: Layout, taskId: string): string[] {
  return namesIn(layout.memory).filter((name) => STAGED.exec(name)?.[1] === fileIdOf(taskId));
}
