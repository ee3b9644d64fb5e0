// The difference between the means of two samples, with its confidence interval (Welch's test), and how many more are
// needed to see a difference of a given size. Pure.

/** The first mean less the second, and where it lies with a confidence of 95 %. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** 97.5 % of Student's t for 1 to 30 degrees of freedom. */
const T_975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;
const Z_975 = 1.959964;
/** A true difference is seen four times in five. */
const Z_80 = 0.841621;

/** The arithmetic mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** undefined where one sample has fewer than two values: then nothing is known about how much they vary. */
export function differenceOf(a: readonly number[], b: readonly number[]): Difference | undefined {
  if (a.length < 2 || b.length < 2) return undefined;
  const [ofA, ofB] = [varianceOf(a) / a.length, varianceOf(b) / b.length];
  const error = Math.sqrt(ofA + ofB);
  const difference = meanOf(a) - meanOf(b);
  if (error === 0) return { difference, low: difference, high: difference };
  const freedom = (ofA + ofB) ** 2 / (ofA ** 2 / (a.length - 1) + ofB ** 2 / (b.length - 1));
  const width = error * t975(freedom);
  return { difference, low: difference - width, high: difference + width };
}

/**
 * How many values both samples together need so that a difference of `share` of the second mean shows, at the variance
 * that they have now; undefined where that is not known yet.
 */
export function neededFor(share: number, a: readonly number[], b: readonly number[]): number | undefined {
  const size = share * meanOf(b);
  if (a.length < 2 || b.length < 2 || size <= 0) return undefined;
  const perSample = ((Z_975 + Z_80) ** 2 * (varianceOf(a) + varianceOf(b))) / size ** 2;
  return 2 * Math.max(2, Math.ceil(perSample));
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Rounded down to whole degrees of freedom, which makes the interval no narrower. */
function t975(freedom: number): number {
  const whole = freedom >= 1 ? Math.floor(freedom) : 1;
  const z = Z_975;
  return T_975[whole - 1] ?? z + (z ** 3 + z) / (4 * whole) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * whole ** 2);
}
