// The steps of a log in flat columns of numbers: 56 bytes each, at most MAX_STEPS of them.

/** Later steps are still listed among the events. */
export const MAX_STEPS = 500_000;

const COLUMNS = ["line", "offset", "result", "meter", "raw", "kept", "recovered"] as const;
/** `line` and `offset` are the step's place; `result` and `meter` are offsets of other lines, -1 where there is none. */
export type Column = (typeof COLUMNS)[number];

/** The sizes of one call, or the sums of a few neighbours, in bytes. */
export interface Bar {
  readonly raw: number;
  readonly kept: number;
}

interface StepTable {
  readonly count: number;
  /** A step was left out because the table was full. */
  readonly isCapped: boolean;
  /** Returns the step's number; undefined where the table is full. */
  add(line: number, offset: number): number | undefined;
  get(name: Column, n: number): number;
  set(name: Column, n: number, value: number): void;
  /** The steps with a size, in order, summed up so that there are at most `max` bars. */
  bars(max: number): Bar[];
  /** The step of a line, if it is one. */
  ofLine(line: number): number | undefined;
}

/** An empty table. */
export function createStepTable(): StepTable {
  const columns = new Map<Column, Float64Array>(COLUMNS.map((name) => [name, new Float64Array(256)]));
  let count = 0;
  let isCapped = false;

  const get: StepTable["get"] = (name, n) => columns.get(name)?.[n] ?? 0;
  const set: StepTable["set"] = (name, n, value) => {
    let values = columns.get(name) ?? new Float64Array(256);
    if (n >= values.length) {
      const larger = new Float64Array(values.length * 2);
      larger.set(values);
      columns.set(name, larger);
      values = larger;
    }
    values[n] = value;
  };

  return {
    get count() {
      return count;
    },
    get isCapped() {
      return isCapped;
    },
    add(line, offset) {
      if (count >= MAX_STEPS) {
        isCapped = true;
        return undefined;
      }
      set("line", count, line);
      set("offset", count, offset);
      for (const name of ["result", "meter"] as const) set(name, count, -1);
      for (const name of ["raw", "kept", "recovered"] as const) set(name, count, 0);
      return count++;
    },
    get,
    set,
    bars(max) {
      let sized = 0;
      for (let n = 0; n < count; n++) if (get("raw", n) > 0) sized++;
      const per = Math.max(1, Math.ceil(sized / max));
      const bars: { raw: number; kept: number }[] = [];
      for (let n = 0, i = 0; n < count; n++) {
        if (get("raw", n) === 0) continue;
        if (i++ % per === 0) bars.push({ raw: 0, kept: 0 });
        const bar = bars.at(-1);
        if (bar === undefined) continue;
        bar.raw += get("raw", n);
        bar.kept += get("kept", n);
      }
      return bars;
    },
    ofLine(line) {
      let low = 0;
      let high = count - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        const at = get("line", middle);
        if (at === line) return middle;
        if (at < line) low = middle + 1;
        else high = middle - 1;
      }
      return undefined;
    },
  };
}
