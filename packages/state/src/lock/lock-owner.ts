// The text of a lock's file: who holds it, since when, and its last heartbeat. The heartbeat is the
// boot's monotonic time, which the processes of one machine share: a wall clock that jumps does not make a holder look dead.
import { basename } from "node:path";
import { isRecord, oneLine, readCommand, readProcess } from "@jeeves/base";
import { currentProcess, isProcessIdentity, type ProcessIdentity } from "./process-identity.ts";

/** Digits of a heartbeat: it is written over the one before, so that the file keeps its length. */
const BEAT_DIGITS = 15;
const MAX_COMMAND_CHARS = 80;

/** What is known of a holder. */
export interface LockOwner extends ProcessIdentity {
  /** Wall clock, ISO. */
  readonly since?: string;
  /** Milliseconds since the boot; absent in files of earlier versions. */
  readonly beatMs?: number;
}

/** The text for this process, from now on. */
export function toOwnerText(since: string): string {
  const beat = String(monotonicMs()).padStart(BEAT_DIGITS, "0");
  return `${JSON.stringify({ ...currentProcess(), since, beatMs: beat })}\n`;
}

/** Undefined for a file that is not, or not yet, one of ours. */
export function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isProcessIdentity(value)) return undefined;
    const { pid, bootId, startTicks, space, since, beatMs } = value;
    return {
      ...{ pid, bootId, startTicks, space },
      ...(typeof since === "string" ? { since } : {}),
      ...(typeof beatMs === "string" && Number.isSafeInteger(Number(beatMs)) ? { beatMs: Number(beatMs) } : {}),
    };
  } catch {
    return undefined;
  }
}

/** Milliseconds since the last heartbeat: by the boot's clock for our own boot, else by the file's time. */
export function silentMs(owner: LockOwner, mtimeMs: number): number {
  const isSameBoot = owner.bootId !== "" && owner.bootId === currentProcess().bootId;
  if (isSameBoot && owner.beatMs !== undefined) return monotonicMs() - owner.beatMs;
  return Date.now() - mtimeMs;
}

/** Whether the owner is this process: the same pid may be another process in another container. */
export function isThisProcess(owner: LockOwner): boolean {
  const own = currentProcess();
  return owner.pid === own.pid && owner.startTicks === own.startTicks && owner.space === own.space;
}

/** `process 123 (rudder task log) since 2026-11-18T10:00:00.000Z`. */
export function ownerWords(owner: LockOwner): string {
  const command = commandOf(owner);
  const since = owner.since === undefined ? "" : ` since ${oneLine(owner.since, MAX_COMMAND_CHARS)}`;
  return `process ${owner.pid}${command === "" ? "" : ` (${command})`}${since}`;
}

/** What to do about a holder that does not let go. */
export function ownerHint(owner: LockOwner): string {
  const isHere = owner.space === currentProcess().space;
  if (isHere && readProcess(owner.pid)?.isStopped === true) {
    return `process ${owner.pid} is stopped: let it go on (kill -CONT ${owner.pid}) or end it; then try again`;
  }
  const where = isHere ? "" : " (it runs in another container or on another machine)";
  return `try again; if that process hangs, end it and the lock is free${where}`;
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** The holder's program and its first two words; what follows may be anyone's text. Empty where it is unknown. */
function commandOf(owner: LockOwner): string {
  if (owner.space !== currentProcess().space) return "";
  const [first = "", ...words] = readCommand(owner.pid) ?? [];
  // Of an interpreter the script is the program.
  const [program = "", ...rest] = /^node\b/.test(basename(first)) && words.length > 0 ? words : [first, ...words];
  const named = rest.filter((word) => /^[a-z][a-z:-]{0,20}$/.test(word)).slice(0, 2);
  return oneLine([basename(program).replace(/\.[cm]?[jt]s$/, ""), ...named].join(" "), MAX_COMMAND_CHARS);
}
