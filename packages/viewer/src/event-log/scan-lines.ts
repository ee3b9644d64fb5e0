// Finds the lines of a log that is read in chunks. It passes on each line's offset and its two ends, never the whole: a line
// is parsed only when it is shown, and may be larger than memory.

const NEWLINE = 0x0a;
/** Enough for the time, the level, the event's name and the id of a call. */
const HEAD_BYTES = 320;
/** Enough for a whole entry of the meter. */
const MORE_BYTES = 2_048;
/** Enough for the sizes, which stand at the end of a result, and for the last line before them. */
const TAIL_BYTES = 320;

/** A line's ends as Latin-1: names and ids are compared, not shown. Valid only during the callback. */
export interface ScannedLine {
  readonly offset: number;
  readonly head: string;
  more(): string;
  tail(): string;
}

/** Splits the chunks of a file, pushed in order, into lines. */
export interface LineScanner {
  /** The offset of the last line, which has no end yet. */
  readonly openOffset: number;
  push(chunk: Buffer, onLine: (line: ScannedLine) => void): void;
}

/** A scanner for a file that is read from its start. */
export function createLineScanner(): LineScanner {
  let position = 0;
  let openOffset = 0;
  let openHead = "";
  let openTail = "";

  const take = (chunk: Buffer, from: number, to: number): void => {
    if (openHead.length < MORE_BYTES) openHead += chunk.toString("latin1", from, Math.min(to, from + MORE_BYTES));
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
          // The usual case, a line within one chunk: what is not asked for is not copied.
          const [first, last] = [from, end];
          onLine({
            offset: openOffset,
            head: chunk.toString("latin1", first, Math.min(last, first + HEAD_BYTES)),
            more: () => chunk.toString("latin1", first, Math.min(last, first + MORE_BYTES)),
            tail: () => chunk.toString("latin1", Math.max(first, last - TAIL_BYTES), last),
          });
        } else {
          take(chunk, from, end);
          const [more, tail] = [openHead.slice(0, MORE_BYTES), openTail];
          onLine({ offset: openOffset, head: more.slice(0, HEAD_BYTES), more: () => more, tail: () => tail });
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
