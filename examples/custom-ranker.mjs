// A ranker of your own: only lines with a given word count. node custom-ranker.mjs FILE WORD
import { readFileSync } from "node:fs";
import { prune, renderPruned, shortMarker } from "@jeeves/prune";
import { lineAt } from "@jeeves/prune/text";

const [file, word] = process.argv.slice(2);
const text = readFileSync(file, "utf8");

/** One score from 0 to 1 for each line; from `cutOff` on a line is evidence. */
const ranker = {
  rank({ table }) {
    const scores = Float64Array.from({ length: table.count }, (_, line) =>
      lineAt(table, line).includes(word) ? 1 : 0,
    );
    return { scores, coverage: scores.includes(1) ? 1 : 0, cutOff: 0.5 };
  },
};
const pruned = await prune(text, { focus: word, path: file, ranker, amount: { mode: "share", keep: 0.2 } });
console.log(renderPruned(text, pruned, { marker: shortMarker }));
