// A feature of every line as integers: quantised once, so that every machine compares the same numbers.

/** A feature by its name. */
export type Column = readonly [name: string, values: Int16Array];

/** One unit is 1/1024. */
export const UNIT = 1024;

const quantise = (value: number): number => Math.max(-UNIT, Math.min(32_000, Math.round(value * UNIT)));

/** A column of values, each divided by `scale`. */
export function toColumn(values: Float64Array | Uint8Array, scale = 1): Int16Array {
  const out = new Int16Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = quantise((values[i] ?? 0) / scale);
  return out;
}

/** A column of values that are computed line by line. */
export function columnBy(n: number, valueAt: (line: number) => number): Int16Array {
  const out = new Int16Array(n);
  for (let i = 0; i < n; i++) out[i] = quantise(valueAt(i));
  return out;
}

/** 0 for 0, 1 for 1023: sizes and distances on a scale where small differences count among small numbers. */
export function logScale(x: number): number {
  return LOGS[x] ?? Math.log2(1 + Math.max(0, x)) / 10;
}

/** The logarithms of small numbers. */
const LOGS = Float64Array.from({ length: 1024 }, (_, x) => Math.log2(1 + x) / 10);

/** A column with the value of each line's scope: quantised once per scope. */
export function spread(scopeAt: Int32Array, values: Float64Array, scale = 1): Int16Array {
  const quantised = toColumn(values, scale);
  const out = new Int16Array(scopeAt.length);
  for (let i = 0; i < out.length; i++) out[i] = quantised[scopeAt[i] ?? 0] ?? 0;
  return out;
}

/** The largest of the values, or next to nothing, to divide by. */
export function mostOf(values: Float64Array): number {
  let most = 1e-9;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] ?? 0);
  return most;
}

/** The sum of the values. */
export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return sum;
}

/** Each line's place among n, from 0 to 1. */
export function sharesOf(n: number): Int16Array {
  return columnBy(n, (i) => i / Math.max(1, n - 1));
}
