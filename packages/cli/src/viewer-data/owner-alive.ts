// Whether the process that owns a run still lives. Its number alone does not tell, because numbers are used again; where
// the system knows when a process started, that decides.
import { isProcessThere, isRecord, readProcess } from "@jeeves/base";

/** `owner`: as run.json has it. False for a value that names no process. */
export function isOwnerAlive(owner: unknown): boolean {
  if (!isRecord(owner)) return false;
  const { pid } = owner;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return false;
  const started = Number(owner.start_ticks ?? 0);
  const row = started > 0 ? readProcess(pid) : undefined;
  return row === undefined ? isProcessThere(pid) : !row.hasEnded && row.startTicks === started;
}
