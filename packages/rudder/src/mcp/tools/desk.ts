// Where every call of every connection is carried out: one haven, one store, commands as functions. It knows nothing of
// MCP, and hands nothing to a shell.
import type { Answer, Outcome } from "../../cli/answer.ts";
import { runCommand, runRudder } from "../../cli/run.ts";
import { type RudderContext, readConfig, type Session } from "../../cli/session.ts";
import { openFileStore } from "../../haven/file-store.ts";
import type { Place } from "../../haven/locate.ts";
import type { HavenStore } from "../../haven/store.ts";
import type { Caller } from "../../lease/lease.ts";

/** A client that has its answer asks again within this time, if at all. */
const LINGER_MS = 5;

export interface DeskOptions {
  readonly place: Place;
  readonly env: NodeJS.ProcessEnv;
}

export interface Asking {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export interface Desk {
  readonly place: Place;
  run(act: (session: Session) => Promise<Answer>, asking: Asking): Promise<Outcome>;
  runWords(argv: readonly string[], asking: Asking): Promise<Outcome>;
}

export function createDesk({ place, env }: DeskOptions): Desk {
  // One store for all: its writers queue in this process, and what it has read once it need not parse again.
  const stores = new Map<string, HavenStore>();
  const openStore: NonNullable<RudderContext["openStore"]> = (options) => {
    const key = JSON.stringify(options);
    const store = stores.get(key) ?? openFileStore({ ...options, lingerMs: LINGER_MS });
    stores.set(key, store);
    return store;
  };
  const config = readConfig(env);
  const contextOf = ({ caller, signal }: Asking): RudderContext => ({
    cwd: place.project,
    env,
    config,
    place,
    caller,
    signal,
    openStore,
  });
  return {
    place,
    run: (act, asking) => runCommand(act, contextOf(asking)),
    runWords: (argv, asking) => runRudder(argv, contextOf(asking)),
  };
}
