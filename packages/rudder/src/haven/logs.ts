// The log files of a haven (RU-09). A line is acknowledged once it is in the file, whole; a line that could not be
// written whole is taken back. All writers hold the haven's lock; readers do not.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readId } from "../ids.ts";
import { formatLogLine, type LogLine, parseLog, parseLogLine } from "../memory/log-line.ts";
import { stampOf } from "./files/file-stamp.ts";
import { namesIn, readIfThere } from "./files/read-if-there.ts";
import type { Transaction } from "./files/transaction.ts";
import { fileIdOf, type Layout } from "./layout.ts";

const MAX_KNOWN_LOGS = 5_000;
/** A task log on its way into its epic's log of so many bytes: `T042.sync-1234.log`. */
const STAGED = /^(T\d+)\.sync-(\d+)\.log$/;

/**
 * Moves a task's lines into its epic's log in one transaction. A staged file is what an older version left when it was
 * killed: its name tells how long the epic's log was before, and so whether its lines have arrived.
 */
export function syncTaskLog(
  layout: Layout,
  ids: { readonly taskId: string; readonly epicId: string },
  transaction: Transaction,
): number {
  const { taskId, epicId } = ids;
  let epicLog = transaction.read(layout.log(epicId)) ?? Buffer.alloc(0);
  const before = epicLog.length;
  let count = 0;
  const deliver = (path: string, from: number): void => {
    const text = transaction.read(path)?.toString("utf8");
    if (text === undefined) return;
    const lines = parseLog(text).map((line) => toEpicLine(line, taskId));
    const block = lines.map((line) => `${line}\n`).join("");
    if (block !== "" && !epicLog.subarray(from).includes(block)) {
      const gap = epicLog.length === 0 || epicLog.at(-1) === 0x0a ? "" : "\n";
      // The old bytes as they are: what others wrote there stays.
      epicLog = Buffer.concat([epicLog, Buffer.from(`${gap}${block}`)]);
    }
    transaction.remove(path);
    count += lines.length;
  };
  for (const name of stagedOf(layout, taskId)) {
    deliver(join(layout.memory, name), Number(STAGED.exec(name)?.[2] ?? 0));
  }
  deliver(layout.log(taskId), Number.POSITIVE_INFINITY);
  if (epicLog.length > before) transaction.put(layout.log(epicId), epicLog);
  return count;
}

function toEpicLine(line: LogLine, taskId: string): string {
  // What no parser understood still belongs to its task; an empty time would make it unreadable for good.
  const at = line.at === "" ? "-" : line.at;
  return formatLogLine({ ...line, at, taskId });
}

/** Tasks with lines to sync, by the names of their files. */
export function pendingTasks(layout: Layout): string[] {
  const ids = namesIn(layout.memory).map((name) => /^(T\d+)(?:\.sync-\d+)?\.log$/.exec(name)?.[1]);
  return [...new Set(ids.filter((id) => id !== undefined))].sort();
}

/** What a server knows of one log file: the tasks (by number) that an epic's log names. */
export interface LogFile {
  readonly tasks: ReadonlySet<number>;
}

/** Epics' logs, and tasks' staged ones: few, and read for every task. */
export function isSharedLogName(name: string): boolean {
  return /^(?:E\d+|T\d+\.sync-\d+)\.log$/.test(name);
}

/** A task's own log. */
export function isTaskLogName(name: string): boolean {
  return /^T\d+\.log$/.test(name);
}

/** Reads what a server keeps of a log. */
export function readLogFile(path: string): LogFile | undefined {
  const tasks = new Set<number>();
  if (!/\/E\d+\.log$/.test(path)) return { tasks };
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  for (const [, number] of text.matchAll(/^\S+ \[T(\d{1,9})\] \[/gm)) tasks.add(Number(number));
  return { tasks };
}

/** In the direction in which lines move, so that a sync that runs meanwhile hides none. */
export function readTaskLog(layout: Layout, taskId: string, known?: ReadonlyMap<string, LogFile>): LogLine[] {
  const own = [readIfThere(layout.log(taskId)) ?? ""];
  const number = readId(taskId)?.number ?? 0;
  const names = known === undefined ? namesIn(layout.memory) : [...known.keys()];
  for (const name of names) {
    if (STAGED.exec(name)?.[1] === fileIdOf(taskId)) own.push(readIfThere(join(layout.memory, name)) ?? "");
  }
  const synced = names
    .filter((name) => /^E\d+\.log$/.test(name) && known?.get(name)?.tasks.has(number) !== false)
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

/** Lines of these tasks that no sync has moved. A server knows which logs there are, and what they held. */
export function readUnsynced(
  layout: Layout,
  taskIds: readonly string[],
  live?: { readonly has: (name: string) => boolean; readonly lines: KnownLines },
): LogLine[] {
  const names = live ?? new Set(namesIn(layout.memory));
  const linesIn = live?.lines.linesIn ?? readLines;
  return taskIds.flatMap((taskId) => {
    const name = `${fileIdOf(taskId)}.log`;
    if (!names.has(name)) return [];
    return linesIn(join(layout.memory, name)).map((line) => ({ ...line, taskId }));
  });
}

const readLines = (path: string): readonly LogLine[] => parseLog(readIfThere(path) ?? "");

/** The lines of tasks' logs as a server has read them. */
export interface KnownLines {
  /** The lines of a log. It is looked at with each call, and read again where it has changed. */
  linesIn(path: string): readonly LogLine[];
  noteWritten(paths: readonly string[]): void;
  close(): void;
}

/** Every claim shows what the tasks of the same epic have logged: without this each of them would read all their logs. */
export function createKnownLines(): KnownLines {
  const known = new Map<string, { readonly stamp: string; readonly lines: readonly LogLine[] }>();
  return {
    linesIn(path) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      const stamp = stampOf(stats);
      const before = known.get(path);
      if (before !== undefined && before.stamp === stamp) return before.lines;
      const lines = readLines(path);
      if (known.size >= MAX_KNOWN_LOGS) known.clear();
      if (stamp !== undefined) known.set(path, { stamp, lines });
      return lines;
    },
    noteWritten(paths) {
      for (const path of paths) known.delete(path);
    },
    close: () => known.clear(),
  };
}

/** The lines that were synced into the log of an epic. */
export function readEpicLog(layout: Layout, epicId: string): LogLine[] {
  return parseLog(readIfThere(layout.log(epicId)) ?? "");
}

function stagedOf(layout: Layout, taskId: string): string[] {
  return namesIn(layout.memory).filter((name) => STAGED.exec(name)?.[1] === fileIdOf(taskId));
}
