// What benchmarks print: a median, and one line per figure with its target and whether it was met. Nothing here fails a
// run, because a loaded machine is no defect; the load is printed above the figures.
import { availableParallelism, loadavg } from "node:os";

// A reader that closes early (`npm run bench | head`) is no error.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

export function median(values) {
  if (values.length === 0) throw new Error("no values to take the median of");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function printFigure(name, value, { unit = "", digits = 2, atMost, atLeast, note = "" } = {}) {
  const shown = Number.isFinite(value) ? `${value.toFixed(digits)}${unit}` : "n/a";
  const bound = atMost ?? atLeast;
  const isMet = atMost === undefined ? value >= atLeast : value <= atMost;
  const verdict = bound === undefined || !Number.isFinite(value) ? "" : isMet ? "ok" : "MISSED";
  const target = bound === undefined ? "" : `target ${atMost === undefined ? "≥" : "≤"} ${bound}${unit}`;
  print(`  ${name.padEnd(44)} ${shown.padStart(10)}  ${target.padEnd(16)} ${verdict} ${note}`.trimEnd());
}

/** What is measured, and on what: ratios survive a busy machine, milliseconds do not. */
export function printTitle(title) {
  const [load = 0] = loadavg();
  print(title);
  print(`  node ${process.versions.node}, ${availableParallelism()} cores, load ${load.toFixed(1)}`);
}

export function print(line = "") {
  process.stdout.write(`${line}\n`);
}
