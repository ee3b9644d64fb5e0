// What every use case works with: a haven, the caller, and how the call came in. The command line and the server make
// one per call.
import type { Clock } from "../haven/instant.ts";
import type { Place } from "../haven/locate.ts";
import type { HavenStore, Operation } from "../haven/store.ts";
import type { Caller } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";

/** One call. */
export interface TaskSession {
  readonly store: HavenStore;
  readonly place: Place;
  readonly caller: Caller;
  readonly ttlMs: number;
  /** For times that people read; leases are counted on the store's own clock. */
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly projectHash: string;
  readonly env: NodeJS.ProcessEnv;
  /** The call came in through a server: what starts or ends programs is not for its clients. */
  readonly isServed: boolean;
  /** The operation of the call's next change; undefined where the call is never sent again. */
  nextOperation(): Operation | undefined;
}

/** How a change of this call is made. */
export function changeOptions(session: Pick<TaskSession, "signal"> & Partial<Pick<TaskSession, "nextOperation">>) {
  return { signal: session.signal, operation: session.nextOperation?.() };
}

/** The operations of one call: a call that makes two changes records two outcomes. */
export function operationsOf(operation: Operation | undefined): () => Operation | undefined {
  let count = 0;
  return () => {
    if (operation === undefined) return undefined;
    count += 1;
    return count === 1 ? operation : { ...operation, id: `${operation.id}#${count}` };
  };
}

/** In the environment of everything that an agent starts. */
export const AGENT_MARK = "RUDDER_AGENT_MARK";

/** `--force` is for people on a terminal, not for agents. */
export function requireForce(session: Pick<TaskSession, "isServed" | "env">, force: boolean | undefined): boolean {
  if (force !== true) return false;
  if (!session.isServed && (session.env[AGENT_MARK] ?? "") === "") return true;
  throw new RudderError("denied", "--force is for people on a terminal", {
    hint: "take another task (rudder task next), or ask a person to force it",
  });
}
