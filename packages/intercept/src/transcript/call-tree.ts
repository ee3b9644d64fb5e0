// Which call of the model came before another one on its branch. In a transcript that is a tree this is not always the
// previous one.
import type { TranscriptRecord } from "./transcript-event.ts";

/** Stands for the place before the first call of a context. */
export const NO_CALL = -1;

/** The calls of one thread by their indices. */
export interface CallTree {
  /** The last call before this record on its branch; `last` where the record has no place in a tree. */
  before(record: TranscriptRecord, last: number): number;
  /** Records that a record is a part of that call, or comes after it. */
  put(record: TranscriptRecord, call: number): void;
}

/** An empty tree. Put records in the order of the transcript: a parent comes before its children. */
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
