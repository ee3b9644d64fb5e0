// A refusal of the rules in words that say what to do.
import { toIso } from "../iso-time.ts";
import type { Refusal } from "../lease/decide.ts";
import { remainingWords } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";

/** The error for a refusal; its hint is what to do instead. */
export function toRefusal(taskId: string, refusal: Refusal, nowMs: number): RudderError {
  switch (refusal.code) {
    case "closed":
      return new RudderError("closed", `${taskId} is ${refusal.status}`, {
        hint: `to open it again: rudder task update ${taskId} --status todo`,
        details: { status: refusal.status },
      });
    case "not_held":
      return new RudderError("not_held", `${taskId} has no lease of yours`, {
        hint: `claim it first: rudder assign claim ${taskId} (rudder assign list shows who holds what)`,
      });
    case "blocked": {
      const { waitsFor } = refusal;
      return new RudderError("blocked", `${taskId} waits for ${waitsFor.join(", ")}`, {
        hint: `take another one: rudder task next; a person may take it all the same with --force, or end the wait: rudder deps remove ${taskId} --blocked-by ${waitsFor[0] ?? "ID"}`,
        details: { waits_for: waitsFor },
      });
    }
    case "lost": {
      const { lease } = refusal;
      return new RudderError(
        "lost",
        `Lease lost: ${taskId} is held by ${lease.holder.name} since ${toIso(lease.startedAtMs)}`,
        {
          hint: "stop working on it: your lease ended and the task was given to another; take another one: rudder task next",
          details: { holder: lease.holder.name, since: toIso(lease.startedAtMs), token: lease.token },
        },
      );
    }
    case "held": {
      const { lease } = refusal;
      // A client that lost its connection comes back as another one: it must know the way to what was its own.
      const freed = lease.isHolderGone
        ? `its connection is gone: free it (rudder assign release ${taskId} --status todo) and claim it again`
        : "its holder frees it with assign release, a person with --force";
      return new RudderError(
        "held",
        `${taskId} is held by ${lease.holder.name} for another ${remainingWords(lease, nowMs)}`,
        {
          hint: `take another one: rudder task next; ${freed}`,
          details: { holder: lease.holder.name, expires_at: toIso(lease.expiresAtMs) },
        },
      );
    }
  }
}
