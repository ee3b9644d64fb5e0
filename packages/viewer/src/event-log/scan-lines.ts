// Finds the lines of a log in the chunks that it is read by. Of each line it hands over where it starts and its two ends,
// never the whole: a line is parsed when it is shown, and a line may be larger than memory.

const NEWLINE = 0x0a;
/** Enough for the time, the level, the event's name and the id of a call. */
const HEAD_BYTES = 320;
/** Enough for a whole entry of the meter. */
const MORE_BYTES = 2_048;
/** Enough for the sizes, which stand at the end of a result, and for the last line before them. */
const TAIL_BYTES = 320;

/** As Latin-1: names and ids are compared, not shown. Only good until the next line comes. */
export interface ScannedLine {
  readonly offset: number;
  readonly head: string;
  more(): string;
  tail(): string;
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
