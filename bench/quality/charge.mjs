// What the quality benchmarks agree on: the amounts that are tried, what a cut costs (every removed block is charged a
// marker, for us and for the baselines alike), and the best prefix of a ranking that fits into as much.
const MARKER = 28;

export const MODES = [
  { name: "keep 10 %", amount: { mode: "share", keep: 0.1 } },
  { name: "keep 20 %", amount: { mode: "share", keep: 0.2 } },
  { name: "keep 45 %", amount: { mode: "share", keep: 0.45 } },
  { name: "adaptive", amount: { mode: "auto" } },
];

export function charsOf(kept, lines) {
  let chars = 0;
  for (let i = 0; i < lines.length; i++) {
    if (kept[i]) chars += lines[i].length + 1;
    else if (i === 0 || kept[i - 1]) chars += MARKER;
  }
  return chars;
}

/** The longest prefix of `order` that fits. */
export function fill(order, lines, budget) {
  let low = 0;
  let high = order.length;
  const take = (count) => {
    const kept = new Uint8Array(lines.length);
    for (let k = 0; k < count; k++) kept[order[k]] = 1;
    return kept;
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (charsOf(take(middle), lines) <= budget) low = middle;
    else high = middle - 1;
  }
  return take(low);
}
