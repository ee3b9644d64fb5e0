// What one server remembers of its sessions: which files were cut where, which file was edited last, and the answer to each
// call. Bounded, because a session may last for days.
import { isAbsolute, resolve } from "node:path";
import type { Pruned } from "@jeeves/prune";
import type { HookAnswer } from "./hook-answer.ts";
import { createSeenLines, type SeenLines } from "./seen-lines.ts";
import type { ToolEvent } from "./tool-event.ts";

const MAX_CUTS = 100;
const MAX_ANSWERS = 50;

/** A cut of a file in this session; in shadow mode it was only counted. */
export interface SeenCut {
  readonly path: string;
  readonly pruneId: string;
  readonly isShadow: boolean;
  readonly blocks: Pruned["blocks"];
}

/** The memory of one session; `cuts` is by absolute path, `answers` by the id of the call. */
export interface SessionMemory {
  readonly cuts: Map<string, SeenCut>;
  readonly answers: Map<string, HookAnswer | undefined>;
  /** Lines that the session has in its context. */
  readonly seen: SeenLines;
  /** In shadow mode: blocks that the agent would have asked for by now. */
  readonly shadowBack: Set<string>;
  lastEdited: string | undefined;
}

/** A function that returns the memory of an event's session. The 50 sessions used last are kept. */
export function createSessionMemory() {
  const sessions = new Map<string, SessionMemory>();
  return (event: ToolEvent): SessionMemory => {
    const key = event.sessionId ?? "";
    const found = sessions.get(key) ?? {
      cuts: new Map(),
      answers: new Map(),
      seen: createSeenLines(),
      shadowBack: new Set(),
      lastEdited: undefined,
    };
    sessions.delete(key);
    bounded(sessions, key, found, MAX_ANSWERS);
    return found;
  };
}

/** Keeps the latest cut of each file, 100 files at most. */
export function rememberCut(memory: SessionMemory, cut: SeenCut): void {
  memory.cuts.delete(cut.path);
  bounded(memory.cuts, cut.path, cut, MAX_CUTS);
}

/** Keeps the answer to a call, 50 at most, so that a hook that is called again for it gives the same. */
export function rememberAnswer(memory: SessionMemory, callId: string, answer: HookAnswer | undefined): void {
  bounded(memory.answers, callId, answer, MAX_ANSWERS);
}

/** A path that counts from the session's directory, or from `/` where that is not known. */
export function toAbsolute(path: string, cwd: string | undefined): string {
  return isAbsolute(path) ? path : resolve(cwd ?? "/", path);
}

function bounded<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > max && !oldest.done) map.delete(oldest.value);
}
