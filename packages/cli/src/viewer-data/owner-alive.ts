// Whether the process that owns a run still lives. Its number alone does not tell, because numbers are used again; where
// the system says when a process started, that decides.
import { readFileSync } from "node:fs";

export function isOwnerAlive(owner: unknown): boolean {
  if (typeof owner !== "object" || owner === null || !("pid" in owner)) return false;
  const { pid } = owner;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return false;
  const started = "start_ticks" in owner ? Number(owner.start_ticks) : 0;
  const ticks = startTicksOf(pid);
  if (ticks !== undefined && started > 0) return ticks === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and not ours.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name may hold anything, brackets too: fields are counted after the last one.
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}
