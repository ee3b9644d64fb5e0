// Adds the imports that bind a name on a kept line, because readers ask where a name comes from. Only where the engine
// decides how much to keep; a budget that the caller set is spent on evidence alone.
import { type Outline, ROLE } from "../outline/outline.ts";
import { scanWords, WordFinder } from "../text/words.ts";
import { keptChars, type Selection, settle } from "./select.ts";
import { WHY } from "./why.ts";

const SUPPORT = WHY.indexOf("support") + 1;
const IMPORTS_SHOWN = 8;
const LONGEST_LINES = 6;
const SYNTAX = new Set(
  "import from as use using require const let var type static package include default self crate super".split(" "),
);

/** Marks at most a few import statements in `kept`; none where that would pass maxChars. */
export function addImports(selection: Selection, kept: Uint8Array, maxChars: number | undefined): void {
  const { table, outline } = selection;
  const binding = bindings(selection);
  if (binding.size === 0) return;
  const uses = new Map<number, number>();
  const finder = new WordFinder(binding);
  for (let i = 0; i < table.count; i++) {
    if (kept[i] === 0 || isImport(outline, i)) continue;
    finder.scan(table.text, table.starts[i] ?? 0, table.starts[i + 1] ?? 0, (word) => {
      const unit = binding.get(word);
      if (unit !== undefined && kept[unit] === 0) uses.set(unit, (uses.get(unit) ?? 0) + 1);
    });
  }
  const wanted = [...uses].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, IMPORTS_SHOWN);
  for (const [unit] of wanted) {
    const end = outline.unitEnd[unit] ?? unit;
    kept.fill(SUPPORT, unit, end + 1);
    if (maxChars !== undefined && keptChars(selection, kept) > maxChars) {
      kept.fill(0, unit, end + 1);
      break;
    }
  }
  // An import between two of them is not worth a marker.
  settle(selection, kept);
}

const known = new WeakMap<Outline, ReadonlyMap<string, number>>();

/** Name → first line of the import statement that mentions it; remembered by the outline. */
function bindings(selection: Selection): ReadonlyMap<string, number> {
  const names = known.get(selection.outline) ?? findBindings(selection);
  known.set(selection.outline, names);
  return names;
}

function findBindings({ table, outline }: Selection): Map<string, number> {
  const names = new Map<string, number>();
  for (let i = 0; i < table.count; i++) {
    const unit = outline.unitStart[i] ?? i;
    if (!isImport(outline, i) || (outline.unitEnd[i] ?? i) - unit >= LONGEST_LINES) continue;
    scanWords(table.text, table.starts[i] ?? 0, table.starts[i + 1] ?? 0, (word) => {
      if (word.length > 1 && !SYNTAX.has(word) && !names.has(word)) names.set(word, unit);
    });
  }
  return names;
}

function isImport(outline: Outline, i: number): boolean {
  return ((outline.role[i] ?? 0) & ROLE.import) !== 0;
}
