// A bootstrap with a fixed seed: the same figures give the same interval on every machine.

const ROUNDS = 2_000;

/** Numbers from 0 to 1 in an order that the seed decides (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The middle 95 % of a statistic over samples of the same size, drawn with replacement. */
export function resample<T>(
  items: readonly T[],
  statistic: (items: T[]) => number,
  random: () => number,
): readonly [low: number, high: number] {
  if (items.length === 0) return [0, 0];
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    values.push(statistic(items.map(() => items[Math.floor(random() * items.length)] as T)));
  values.sort((a, b) => a - b);
  return [values[Math.floor(ROUNDS * 0.025)] ?? 0, values[Math.ceil(ROUNDS * 0.975) - 1] ?? 0];
}
