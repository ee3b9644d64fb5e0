// A logistic regression by Newton's method, with a weight per row and a little shrinkage.

const SHRINKAGE = 1;
const MAX_STEPS = 25;

/** @returns {number[]} a weight per column */
export function fitLogistic(rows, outcomes, rowWeights) {
  const size = rows[0]?.length ?? 0;
  const weights = new Array(size).fill(0);
  for (let step = 0; step < MAX_STEPS; step++) {
    const slope = weights.map((weight) => -SHRINKAGE * weight);
    const curve = weights.map((_, j) => weights.map((_, k) => (j === k ? SHRINKAGE : 0)));
    rows.forEach((row, i) => {
      const z = row.reduce((sum, value, j) => sum + value * weights[j], 0);
      const chance = 1 / (1 + Math.exp(-z));
      const error = (outcomes[i] - chance) * rowWeights[i];
      const spread = chance * (1 - chance) * rowWeights[i];
      for (let j = 0; j < size; j++) {
        if (row[j] === 0) continue;
        slope[j] += error * row[j];
        for (let k = 0; k < size; k++) curve[j][k] += spread * row[j] * row[k];
      }
    });
    const change = solve(curve, slope);
    change.forEach((value, j) => {
      weights[j] += value;
    });
    if (Math.max(...change.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

/** Gauss elimination with the largest pivot. */
function solve(matrix, right) {
  const rows = matrix.map((row, j) => [...row, right[j]]);
  const size = rows.length;
  for (let j = 0; j < size; j++) {
    let pivot = j;
    for (let k = j; k < size; k++) if (Math.abs(rows[k][j]) > Math.abs(rows[pivot][j])) pivot = k;
    [rows[j], rows[pivot]] = [rows[pivot], rows[j]];
    for (let k = j + 1; k < size; k++) {
      const factor = rows[k][j] / rows[j][j];
      for (let column = j; column <= size; column++) rows[k][column] -= factor * rows[j][column];
    }
  }
  const found = new Array(size).fill(0);
  for (let j = size - 1; j >= 0; j--) {
    let value = rows[j][size];
    for (let k = j + 1; k < size; k++) value -= rows[j][k] * found[k];
    found[j] = value / rows[j][j];
  }
  return found;
}
