// What the system tells about another process.
import { readFileSync } from "node:fs";
import { systemCodeOf } from "../system-code.ts";
import { PROC } from "./optional-parts.ts";

/** A row of /proc. */
export interface ProcessRow {
  /** It has ended, and waits for its parent to collect it. */
  readonly hasEnded: boolean;
  /** A signal or a debugger has stopped it. */
  readonly isStopped: boolean;
  readonly parent: number;
  readonly group: number;
  /** When it started, in the system's ticks: with the pid, one process for good, because numbers are used again. */
  readonly startTicks: number;
}

/** Whether a process has this number, or with a minus a group; one of another user counts, one that has ended too. */
export function isProcessThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === "EPERM";
  }
}

/** undefined where there is no such process, or the system has no /proc or hides it. */
export function readProcess(pid: number): ProcessRow | undefined {
  let stat: string;
  try {
    stat = readFileSync(`${PROC}/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name in parentheses may itself hold spaces and parentheses: count from the last one.
  const [state = "", parent, group, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTicks = Number(others[16]);
  if (!Number.isSafeInteger(startTicks)) return undefined;
  return {
    hasEnded: state === "Z" || state === "X",
    isStopped: state === "T" || state === "t",
    parent: Number(parent),
    group: Number(group),
    startTicks,
  };
}

/** The words that a process was started with; undefined where the system does not tell. */
export function readCommand(pid: number): readonly string[] | undefined {
  try {
    const words = readFileSync(`${PROC}/${pid}/cmdline`, "utf8").split("\0");
    return words.length > 1 ? words.slice(0, -1) : undefined;
  } catch {
    return undefined;
  }
}
