// Finds the lines of a log in the chunks that it is read by. Of each line it hands over where it starts and its two ends,
// never the whole: what a log says is looked at when somebody looks at it, and a line may be larger than memory.

const NEWLINE = 0x0a;
/** Enough for the time, the level, the event's name and the id of a call; and for the whole of what the meter says. */
export const HEAD_BYTES = 2_048;
/** Enough for the sizes, which stand at the end of a result. */
export const TAIL_BYTES = 320;

export interface ScannedLine {
  readonly offset: number;
  /** As Latin-1: names and ids are compared, not shown. */
  readonly head: string;
  readonly tail: string;
}

export interface LineScanner {
  /** Where the line that has no end yet starts. */
  readonly openOffset: number;
  push(chunk: Buffer, onLine: (line: ScannedLine) => void): void;
}

export function createLineScanner(): LineScanner {
  let position = 0;
  let openOffset = 0;
  let openHead = "";
  let openTail = "";

  const take = (chunk: Buffer, from: number, to: number): void => {
    if (openHead.length < HEAD_BYTES) openHead += chunk.toString("latin1", from, Math.min(to, from + HEAD_BYTES));
    openTail = (openTail + chunk.toString("latin1", Math.max(from, to - TAIL_BYTES), to)).slice(-TAIL_BYTES);
  };

  return {
    get openOffset() {
      return openOffset;
    },
    push(chunk, onLine) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE, from); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        if (openHead === "") {
          // The usual case, a line within one chunk: no copying.
          const head = chunk.toString("latin1", from, Math.min(end, from + HEAD_BYTES));
          onLine({ offset: openOffset, head, tail: chunk.toString("latin1", Math.max(from, end - TAIL_BYTES), end) });
        } else {
          take(chunk, from, end);
          onLine({ offset: openOffset, head: openHead.slice(0, HEAD_BYTES), tail: openTail });
          openHead = "";
          openTail = "";
        }
        from = end + 1;
        openOffset = position + from;
      }
      if (from < chunk.length) take(chunk, from, chunk.length);
      position += chunk.length;
    },
  };
}
