// Columns about the text itself, independent of the focus: how rare a line's words are in it, how often the line is repeated,
// its place, its look. In recorded work they predict as much as the words of the focus.
import { type Outline, ROLE } from "../../outline/outline.ts";
import { indentOf, type LineTable, lineHead, lineLength } from "../../text/lines.ts";
import type { FeatureInput, Features } from "../features.ts";
import { type Column, columnBy, logScale, sharesOf, toColumn } from "./column.ts";

const RARITY_SCALE = 10;
const LOOKS: readonly RegExp[] = [
  /^\s*$/,
  /^\s*(?:\/\/|\/\*|\*|#|--|<!--|"""|''')/,
  /^\s*[)\]}>;,]+\s*$/,
  /^[^\s:]+[:-]\d+[:-]/,
  /^\s*(?:\.{0,2}\/)?[\w.@-]+(?:\/[\w.@-]+)+:?\s*$/,
  /^[-dl][rwx-]{9}/,
  /^\s*(?:[-*+•✓✗×√●]|\d+[.)])\s/,
  /\b(?:error|fail(?:ed|ure|ures)?|warning|panic|exception|traceback|assert\w*|undefined|cannot|not found|denied|missing)\b/i,
  /^\s*[\w"'-]+\s*[:=]/,
  /^[+-](?![+-])/,
  /^\s*[A-Z][^.!?]*[.!?]\s*$/,
];
const LOOK_SCALE = 16;
const SHAPE_CHARS = 40;
const MOST_DEEPER = 20;

/** The columns of an outline for the last use; `words` are those of its text, with or without numbers. */
interface Known {
  readonly words: Uint32Array;
  readonly wanted: ReadonlySet<string> | undefined;
  readonly columns: readonly Column[];
}
const known = new WeakMap<Outline, Known>();

/** Only those in `wanted`: each use has weights for some of them. */
export function textColumns(input: FeatureInput, f: Features, wanted?: ReadonlySet<string>): readonly Column[] {
  const { words } = f.hits;
  const last = known.get(input.outline);
  if (last !== undefined && last.words === words && last.wanted === wanted) return last.columns;
  const columns = readColumns(input, f, wanted);
  known.set(input.outline, { words, wanted, columns });
  return columns;
}

function readColumns({ table, outline }: FeatureInput, f: Features, wanted?: ReadonlySet<string>): Column[] {
  const n = table.count;
  const isBlank = (i: number): boolean => i < 0 || i >= n || ((outline.role[i] ?? 0) & ROLE.blank) !== 0;
  const charsAt = (i: number): number => (i < 0 || i >= n ? 0 : Math.min(400, lineLength(table, i)));
  const columns: Readonly<Record<string, () => Int16Array>> = {
    same_lines: () => repeats(n, (i) => lineHead(table, i).trim()),
    same_shape: () => repeats(n, (i) => lineHead(table, i).trim().replace(/\d+/g, "0").slice(0, SHAPE_CHARS)),
    text_place: () => sharesOf(n),
    from_top: () => columnBy(n, logScale),
    from_end: () => columnBy(n, (i) => logScale(n - 1 - i)),
    text_lines: () => columnBy(n, () => logScale(n)),
    text_form: () => columnBy(n, () => formOf(outline) / 8),
    look: () => columnBy(n, (i) => lookOf(lineHead(table, i)) / LOOK_SCALE),
    blank_beside: () => columnBy(n, (i) => (isBlank(i - 1) ? 0.5 : 0) + (isBlank(i + 1) ? 0.25 : 0)),
    chars_near: () =>
      columnBy(n, (i) =>
        logScale((charsAt(i - 2) + charsAt(i - 1) + charsAt(i) + charsAt(i + 1) + charsAt(i + 2)) / 5),
      ),
  };
  const isWanted = (name: string): boolean => wanted === undefined || wanted.has(name);
  return [
    ...(["rarity", "rarity_most"].some(isWanted) ? rarityColumns(f) : []),
    ...(["deeper_than_above", "deeper_than_below"].some(isWanted) ? depthColumns(table) : []),
    ...Object.entries(columns).flatMap(([name, make]): Column[] => (isWanted(name) ? [[name, make()]] : [])),
  ];
}

/** What the outline was read from: a grammar, or how many scopes it found without one. */
function formOf({ language, scopes }: Outline): number {
  return language === undefined ? Math.min(3, scopes.length - 1) : 4;
}

function depthColumns(table: LineTable): Column[] {
  const n = table.count;
  const indents = new Int32Array(n);
  for (let i = 0; i < n; i++) indents[i] = indentOf(table, i);
  const than = (i: number, other: number): number => {
    const deeper = (indents[i] ?? 0) - (indents[other] ?? 0);
    return Math.max(-MOST_DEEPER, Math.min(MOST_DEEPER, deeper)) / (2 * MOST_DEEPER);
  };
  return [
    ["deeper_than_above", columnBy(n, (i) => than(i, i - 1))],
    ["deeper_than_below", columnBy(n, (i) => than(i, i + 1))],
  ];
}

/** The first of the looks that a line has, counted from 1; 0 for any other. */
function lookOf(line: string): number {
  for (let k = 0; k < LOOKS.length; k++) if (LOOKS[k]?.test(line) === true) return k + 1;
  return 0;
}

/** How rare a line's words are in the text: the mean and the most of log(lines / lines that have it). */
function rarityColumns({ hits }: Features): Column[] {
  const n = hits.wordCount.length;
  const lines = new Uint32Array(hits.distinctWords);
  const last = new Int32Array(hits.distinctWords).fill(-1);
  for (let i = 0, k = 0; i < n; i++) {
    for (const end = k + (hits.wordCount[i] ?? 0); k < end; k++) {
      const word = hits.words[k] ?? 0;
      if (last[word] !== i) lines[word] = (lines[word] ?? 0) + 1;
      last[word] = i;
    }
  }
  const rarity = Float64Array.from(lines, (count) => Math.log2(n / Math.max(1, count)));
  const [mean, most] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0, k = 0; i < n; i++) {
    const words = hits.wordCount[i] ?? 0;
    let [sum, top] = [0, 0];
    for (const end = k + words; k < end; k++) {
      const value = rarity[hits.words[k] ?? 0] ?? 0;
      sum += value;
      if (value > top) top = value;
    }
    mean[i] = sum / Math.max(1, words);
    most[i] = top;
  }
  return [
    ["rarity", toColumn(mean, RARITY_SCALE)],
    ["rarity_most", toColumn(most, RARITY_SCALE)],
  ];
}

/** How many lines have the same key. */
function repeats(n: number, keyOf: (line: number) => string): Int16Array {
  const counts = new Map<string, number>();
  const keys = Array.from({ length: n }, (_, i) => keyOf(i));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return columnBy(n, (i) => logScale(counts.get(keys[i] ?? "") ?? 1));
}
