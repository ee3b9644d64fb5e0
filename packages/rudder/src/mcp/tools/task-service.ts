// Where every call of every connection is carried out: one haven, one store, use cases as functions. It knows nothing of
// MCP, and hands nothing to a shell.
import type { AgentHome } from "../../agent/agent-store.ts";
import type { Answer, Outcome } from "../../answers/answer.ts";
import { toFailure, toOutcome } from "../../answers/outcome.ts";
import type { CommandLine } from "../../command-line.ts";
import { locateAgain, type Place } from "../../haven/locate.ts";
import { openHaven } from "../../haven/open-haven.ts";
import { readDigits } from "../../haven/place/project-settings.ts";
import type { HavenStore, Operation } from "../../haven/store.ts";
import type { Caller } from "../../lease/lease.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import { forgetClaims, hasClaimed, renewOwn } from "../../tasks/leases/renew-own.ts";
import { type OpenStore, openTaskSession } from "../../tasks/open-session.ts";
import type { TaskSession } from "../../tasks/session.ts";

/** A client that has its answer asks again within this time, if at all. */
const LINGER_MS = 5;

/** What a task service serves. */
interface TaskServiceOptions {
  readonly place: Place;
  readonly env: NodeJS.ProcessEnv;
  readonly ttlMs: number;
  readonly commandLine: CommandLine;
}

/** Who asks. */
export interface Asking {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** The call may be sent again under this id. */
  readonly operation: Operation | undefined;
}

/** One haven, for many callers. */
export interface TaskService {
  readonly place: Place;
  readonly commandLine: CommandLine;
  /** Where its agents are looked up. */
  readonly home: AgentHome;
  run(act: (session: TaskSession) => Promise<Answer>, asking: Asking): Promise<Outcome>;
  runWords(argv: readonly string[], asking: Asking): Promise<Outcome>;
  /** A bare connection has ended. */
  left(caller: Caller): Promise<void>;
  preload(): Promise<unknown>;
  close(): Promise<void>;
}

/** A task service with one store for all its calls: its writers queue in this process, and what was read once stays known. */
export function createTaskService({ place: given, env, ttlMs, commandLine }: TaskServiceOptions): TaskService {
  let place = given;
  const stores = new Map<string, HavenStore>();
  const openStore: OpenStore = ({ haven, id, digits }) => {
    const key = JSON.stringify([haven, digits]);
    const store = stores.get(key) ?? openHaven({ haven, id, digits, env, lingerMs: LINGER_MS, isLive: true });
    stores.set(key, store);
    return store;
  };
  const failed = (error: unknown, { signal }: Asking): Outcome => {
    signal.throwIfAborted();
    const known = toRudderError(error, place.haven);
    if (!(known instanceof RudderError)) throw error;
    return toFailure(known, false);
  };
  return {
    get place() {
      return place;
    },
    commandLine,
    home: {
      get place() {
        return place;
      },
      env,
      get store() {
        return openStore({ haven: place.haven, id: place.projectHash, digits: readDigits(place.project), env });
      },
    },
    async run(act, asking) {
      try {
        place = await locateAgain(place, env);
      } catch (error) {
        return failed(error, asking);
      }
      const session = openTaskSession({ place, env, ttlMs, isServed: true, openStore, ...asking });
      try {
        const answer = await act(session);
        await renewOwn(session);
        return toOutcome(answer, false);
      } catch (error) {
        const failure = failed(error, asking);
        await renewOwn(session);
        return failure;
      }
    },
    async runWords(argv, asking) {
      try {
        place = await locateAgain(place, env);
      } catch (error) {
        return failed(error, asking);
      }
      return commandLine.run(argv, { place, env, openStore, ...asking });
    },
    async left(caller) {
      if (!hasClaimed(caller)) return;
      forgetClaims(caller);
      await Promise.all([...stores.values()].map((store) => store.leave(caller)));
    },
    preload: () => Promise.all([commandLine.preload(), import("../../context/compose-context.ts")]),
    async close() {
      await Promise.all([...stores.values()].map((store) => store.close()));
    },
  };
}
