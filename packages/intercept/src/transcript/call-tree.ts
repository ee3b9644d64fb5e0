// Which call of the model came before another one on its branch, where a transcript is a tree: not always the one above.
import type { TranscriptRecord } from "./transcript-event.ts";

/** What is before the first call of a context. */
export const NO_CALL = -1;

/** The calls of one thread by their indices. */
export interface CallTree {
  /** The last call before this record, on its branch; `last`, where the record does not tell. */
  before(record: TranscriptRecord, last: number): number;
  /** The record is a part of that call, or comes after it. */
  put(record: TranscriptRecord, call: number): void;
}

export function createCallTree(): CallTree {
  const calls = new Map<string, number>();
  return {
    before({ place }, last) {
      if (place === undefined) return last;
      return place.parent === undefined ? NO_CALL : (calls.get(place.parent) ?? last);
    },
    put({ place }, call) {
      if (place !== undefined) calls.set(place.id, call);
    },
  };
}
