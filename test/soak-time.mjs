// The time of `npm run soak`: a storm goes on for its rounds, or until its time is over, and prints how far it came.
import process from "node:process";

export const isSoak = process.env.JEEVES_SOAK === "1";
const storm = isSoak ? Number(process.env.JEEVES_SOAK_MS || Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
const startedMs = performance.now();

export function hasTimeLeft(share = 1) {
  return performance.now() - startedMs < storm * share;
}

export function* rounds(count, { share = 1, what = "rounds" } = {}) {
  const from = performance.now();
  let round = 0;
  while (round < count && performance.now() - from < storm * share) yield round++;
  if (isSoak) process.stderr.write(`soak: ${round.toLocaleString("en")} of ${count.toLocaleString("en")} ${what}\n`);
}
