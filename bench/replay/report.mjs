// The figures in words: per class of output, and per run. Nothing is judged here.
import { median, print, printTitle } from "../figures.mjs";
import { CLASSES } from "./output-class.mjs";

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);

export function printReport(results, { names, surfaceTokens, asJson }) {
  const summary = { runs: results.length, surfaceTokens, classes: {}, ways: {} };
  const outputs = results.flatMap((result) => result.outputs);
  for (const name of CLASSES) {
    const own = outputs.filter((output) => output.class === name);
    if (own.length > 0) summary.classes[name] = classFigures(own, names);
  }
  summary.classes.all = classFigures(outputs, names);
  for (const name of names) {
    summary.ways[name] = { cuts: sum(results, (result) => result.ways[name].cuts) };
    for (const charge of ["every", "missing"]) {
      const own = results.map((result) => ({ base: result.base, ...result.ways[name][charge] }));
      const figures = (field) => ({
        mean: sum(own, (run) => run[field]) / own.length,
        median: median(own.map((run) => run[field])),
        lose: own.filter((run) => run[field] < 0).length / own.length,
        ofAll: sum(own, (run) => run.base * run[field]) / sum(own, (run) => run.base),
      });
      summary.ways[name][charge] = {
        recoveries: sum(own, (run) => run.recoveries),
        with: figures("with"),
        without: figures("without"),
      };
    }
  }
  if (asJson) print(JSON.stringify(summary));
  else printTables(summary, { names, turns: sum(results, ({ turns }) => turns) });
}

function classFigures(outputs, names) {
  const raw = sum(outputs, (output) => output.raw);
  const used = sum(outputs, (output) => output.used);
  const figures = { outputs: outputs.length, raw, used: used / sum(outputs, (output) => output.lines), ways: {} };
  for (const name of names) {
    figures.ways[name] = {
      cut: sum(outputs, (output) => (output.ways[name].isCut ? 1 : 0)) / outputs.length,
      kept: sum(outputs, (output) => output.ways[name].tokens) / raw,
      survived: used === 0 ? 1 : sum(outputs, (output) => output.ways[name].survived) / used,
    };
  }
  return figures;
}

function printTables({ runs, surfaceTokens, classes, ways }, { names, turns }) {
  printTitle(`replay: ${runs} runs, ${turns} turns; outputs of 60+ lines and 2,000+ characters`);
  print(`  our surface: ${surfaceTokens} tokens`);
  print(`  ${"class".padEnd(11)}outputs    tokens   used lines   cut by  outputs cut  tokens kept  used lines kept`);
  for (const [name, figures] of Object.entries(classes)) {
    for (const [k, way] of names.entries()) {
      const { cut, kept, survived } = figures.ways[way];
      const first =
        k > 0
          ? "".padEnd(43)
          : `${name.padEnd(11)}${String(figures.outputs).padStart(7)} ${String(figures.raw).padStart(9)} ${percent(figures.used).padStart(12)}   `;
      print(
        `  ${first}${way.padEnd(9)}${percent(cut).padStart(10)} ${percent(kept).padStart(12)} ${percent(survived).padStart(16)}`,
      );
    }
  }
  const charges = {
    every: "a recovery for every cut of which a line was used later",
    missing: "a recovery only where that line stands nowhere else in what the agent has seen",
  };
  for (const [charge, words] of Object.entries(charges)) {
    print();
    print(`  cost saved per run, ${words}`);
    print(`  ${"".padEnd(30)}   mean   median  runs that lose  of all runs' cost    cuts  recoveries`);
    for (const way of names)
      for (const field of ["with", "without"]) {
        const { mean, median: middle, lose, ofAll } = ways[way][charge][field];
        const counts = [String(ways[way].cuts).padStart(8), String(ways[way][charge].recoveries).padStart(11)].join(
          " ",
        );
        const name = `${(field === "with" ? way : "").padEnd(10)}${`${field} our surface`.padEnd(20)}`;
        const figures = [mean, middle].map((share) => percent(share).padStart(8)).join(" ");
        print(
          `  ${name}${figures} ${percent(lose).padStart(15)} ${percent(ofAll).padStart(18)}${field === "with" ? counts : ""}`,
        );
      }
  }
}
