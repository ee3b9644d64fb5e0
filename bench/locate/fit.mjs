// A linear ranker by gradient descent (Adam, fixed steps, no randomness). "list" spreads the mass over all right files;
// "each" sets every right file against the wrong ones alone.

const STEPS = 300;
const RATE = 0.05;

export function fitWeights(lists, { l2, loss }) {
  const usable = lists.filter(({ rows, gold }) => rows.length > 0 && gold.includes(1));
  const width = usable[0].rows[0].length;
  const spread = spreadOf(lists, width);
  const scaled = usable.map(({ rows, gold }) => ({
    rows: rows.map((row) => Float64Array.from(row, (value, i) => value / spread[i])),
    gold,
  }));
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((weight) => l2 * weight);
    for (const list of scaled) addSlope(list, weights, { slope, loss, share: 1 / scaled.length });
    for (let i = 0; i < width; i++) {
      first[i] = 0.9 * first[i] + 0.1 * slope[i];
      second[i] = 0.99 * second[i] + 0.01 * slope[i] ** 2;
      weights[i] -= (RATE * (first[i] / (1 - 0.9 ** step))) / (Math.sqrt(second[i] / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return [...weights].map((weight, i) => weight / spread[i]);
}

function addSlope({ rows, gold }, weights, { slope, loss, share }) {
  const scores = rows.map((row) => dot(row, weights));
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const right = gold.reduce((sum, one) => sum + one, 0);
  const pull = new Float64Array(rows.length);
  if (loss === "list") {
    const all = odds.reduce((sum, one) => sum + one, 0);
    odds.forEach((one, i) => {
      pull[i] = one / all - gold[i] / right;
    });
  } else {
    const wrong = odds.reduce((sum, one, i) => sum + (gold[i] === 1 ? 0 : one), 0);
    gold.forEach((isRight, g) => {
      if (isRight !== 1) return;
      const all = wrong + odds[g];
      const per = 1 / Math.sqrt(right);
      pull[g] += per * (odds[g] / all - 1);
      odds.forEach((one, i) => {
        if (gold[i] !== 1) pull[i] += (per * one) / all;
      });
    });
  }
  rows.forEach((row, r) => {
    if (Math.abs(pull[r]) < 1e-6) return;
    for (let i = 0; i < row.length; i++) slope[i] += share * pull[r] * row[i];
  });
}

function dot(row, weights) {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i] * weights[i];
  return sum;
}

function spreadOf(lists, width) {
  const sum = new Float64Array(width);
  const squares = new Float64Array(width);
  let count = 0;
  for (const { rows } of lists) {
    for (const row of rows) {
      count++;
      for (let i = 0; i < width; i++) {
        sum[i] += row[i];
        squares[i] += row[i] ** 2;
      }
    }
  }
  return sum.map((one, i) => Math.sqrt(Math.max(0, squares[i] / count - (one / count) ** 2)) + 1e-6);
}
