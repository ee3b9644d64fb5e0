// A feature of every line as integers: quantised once, so that every machine compares the same numbers.
export type Column = readonly [name: string, values: Int16Array];

/** One unit is 1/1024. */
export const UNIT = 1024;

export function toColumn(n: number, valueAt: (line: number) => number): Int16Array {
  const out = new Int16Array(n);
  for (let i = 0; i < n; i++) out[i] = Math.max(-UNIT, Math.min(32_000, Math.round(valueAt(i) * UNIT)));
  return out;
}

/** 0 for 0, 1 for 1023: sizes and distances on a scale where small differences count among small numbers. */
export function logScale(x: number): number {
  return Math.log2(1 + Math.max(0, x)) / 10;
}
