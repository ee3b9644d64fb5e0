// The lines of a file that answer a question: node library.mjs FILE "QUESTION"
import { readFileSync } from "node:fs";
import { prune, renderPruned, shortMarker } from "@jeeves/prune";
import { createTreeSitterGrammars } from "@jeeves/prune/grammars";

const [file, focus] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const pruned = await prune(text, { focus, path: file, grammars: createTreeSitterGrammars() });
console.log(renderPruned(text, pruned, { marker: shortMarker }));
console.error(`${pruned.kind}, a ${pruned.match} match, ${pruned.blocks.length} gaps`);
