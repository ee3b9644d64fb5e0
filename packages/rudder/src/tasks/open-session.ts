// Opens the session of a call. A server has one store for all calls, a terminal one for each command.
import { type Clock, systemClock } from "../haven/instant.ts";
import type { Place } from "../haven/locate.ts";
import { openHaven } from "../haven/open-haven.ts";
import { readDigits } from "../haven/place/project-settings.ts";
import type { HavenStore, Operation } from "../haven/store.ts";
import type { Digits } from "../ids.ts";
import type { Caller } from "../lease/lease.ts";
import { operationsOf, type TaskSession } from "./session.ts";

/** Opens, or finds, the store of a haven. */
export type OpenStore = (options: {
  readonly haven: string;
  readonly id: string;
  readonly digits: Digits;
  readonly env: NodeJS.ProcessEnv;
  readonly clock?: Clock | undefined;
}) => HavenStore;

/** What a call brings along. */
interface SessionOptions {
  readonly place: Place;
  readonly env: NodeJS.ProcessEnv;
  readonly caller: Caller;
  readonly ttlMs: number;
  readonly isServed: boolean;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly operation?: Operation | undefined;
  readonly openStore?: OpenStore | undefined;
}

/** The session of one call. */
export function openTaskSession(options: SessionOptions): TaskSession {
  const { place, clock } = options;
  const digits = readDigits(place.project);
  const open: OpenStore = options.openStore ?? ((where) => openHaven({ ...where, isOneLook: !options.isServed }));
  return {
    store: open({ haven: place.haven, id: place.projectHash, digits, env: options.env, clock }),
    place,
    caller: options.caller,
    ttlMs: options.ttlMs,
    clock: clock ?? systemClock,
    signal: options.signal,
    projectHash: place.projectHash,
    env: options.env,
    isServed: options.isServed,
    nextOperation: operationsOf(options.operation),
  };
}
