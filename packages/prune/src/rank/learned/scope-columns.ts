// Columns about the function, class or section that a line belongs to: how well it matches as a whole, by its words, its
// name and its doc.
import { type Outline, ROLE } from "../../outline/outline.ts";
import { lineAt } from "../../text/lines.ts";
import type { FeatureInput, Features } from "../features.ts";
import { scopeNames } from "../scope-names.ts";
import type { ScopeTerms } from "../scope-terms.ts";
import { type Column, logScale, mostOf, spread, sumOf, toColumn } from "./column.ts";

/** `ownerOf`: per line the scope that it is ranked with. */
export function scopeColumns(
  input: FeatureInput,
  f: Features,
  { ownerOf, pairs }: { ownerOf: Int32Array; pairs: ScopeTerms },
): Column[] {
  const { scopes, scopeOf } = input.outline;
  const { scopeScore, idf } = f;
  const top = mostOf(scopeScore);
  const docLine = docLines(input, f.owner);
  const said = wordsOfScopes(input, f, { ownerOf, pairs, docLine });
  const own = sumsBy(ownerOf, scopes.length, f.own);
  const inner = sumsBy(scopeOf, scopes.length, f.own);
  const all = Math.max(1e-9, sumOf(idf));
  const bestPart = new Float64Array(scopes.length);
  for (let s = scopes.length - 1; s > 0; s--) {
    const up = f.owner[scopes[s]?.parent ?? 0] ?? 0;
    if (up !== s) bestPart[up] = Math.max(bestPart[up] ?? 0, bestPart[s] ?? 0, scopeScore[s] ?? 0);
  }
  const nameShare = new Float64Array(scopes.length);
  scopeNames(input.outline).terms.forEach((parts, s) => {
    let asked = 0;
    for (const term of parts) if (input.focus.index.has(term)) asked++;
    nameShare[s] = parts.length === 0 ? 0 : asked / parts.length;
  });
  return [
    ["scope", spread(ownerOf, scopeScore, top)],
    ["scope_rank", spread(ownerOf, ranksOf(scopeScore))],
    ["scope_share", spread(ownerOf, said.cover, all)],
    ["scope_doc", spread(ownerOf, said.doc, all)],
    ["scope_first", spread(ownerOf, f.scopeFirst)],
    ["scope_rarest", spread(ownerOf, f.scopeRarest)],
    ["scope_whole", spread(ownerOf, said.whole, mostOf(idf))],
    ["scope_joined", spread(ownerOf, said.joined, 8)],
    ["scope_mean", spread(ownerOf, own.mean)],
    ["scope_most", spread(ownerOf, own.most)],
    ["scope_part", spread(ownerOf, bestPart, top)],
    ["scope_name", toColumn(f.name)],
    ["name_share", spread(ownerOf, nameShare)],
    ["scope_parent", toColumn(f.parent)],
    ["scope_linked", toColumn(f.linked)],
    ["scope_test", toColumn(f.test)],
    ["scope_lines", spread(ownerOf, own.lines.map(logScale))],
    ["inner_mean", spread(scopeOf, inner.mean)],
    ["inner_lines", spread(scopeOf, inner.lines.map(logScale))],
    ["is_doc", toColumn(docLine)],
  ];
}

/** Per scope: the idf of its distinct terms, of those in its doc, its rarest whole identifier, its best joined word. */
function wordsOfScopes(
  { outline, focus }: FeatureInput,
  { hits, idf }: Features,
  { ownerOf, pairs, docLine }: { ownerOf: Int32Array; pairs: ScopeTerms; docLine: Uint8Array },
): Record<"cover" | "doc" | "whole" | "joined", Float64Array> {
  const count = outline.scopes.length;
  const [cover, doc] = [new Float64Array(count), new Float64Array(count)];
  const [whole, joined] = [new Float64Array(count), new Float64Array(count)];
  const inScope = new Uint8Array(pairs.count);
  const inDoc = new Uint8Array(pairs.count);
  for (let i = 0; i < ownerOf.length; i++) {
    const s = ownerOf[i] ?? 0;
    joined[s] = Math.max(joined[s] ?? 0, Math.min(8, hits.joined[i] ?? 0));
    for (let k = hits.rowStart[i] ?? 0; k < (hits.rowStart[i + 1] ?? 0); k++) {
      const t = hits.term[k] ?? 0;
      const pair = pairs.pairOf[k] ?? 0;
      const weight = idf[t] ?? 0;
      if (focus.terms[t]?.isWhole === true && hits.weight[k] === 1) whole[s] = Math.max(whole[s] ?? 0, weight);
      if (inScope[pair] === 0) cover[s] = (cover[s] ?? 0) + weight;
      inScope[pair] = 1;
      if (docLine[i] === 0 || inDoc[pair] === 1) continue;
      doc[s] = (doc[s] ?? 0) + weight;
      inDoc[pair] = 1;
    }
  }
  return { cover, doc, whole, joined };
}

/** Per scope the number of its lines, and the mean and the most of their values. */
function sumsBy(
  scopeAt: Int32Array,
  count: number,
  values: Float64Array,
): Record<"lines" | "mean" | "most", Float64Array> {
  const [lines, mean, most] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < scopeAt.length; i++) {
    const s = scopeAt[i] ?? 0;
    const value = values[i] ?? 0;
    lines[s] = (lines[s] ?? 0) + 1;
    mean[s] = (mean[s] ?? 0) + value;
    if (value > (most[s] ?? 0)) most[s] = value;
  }
  for (let s = 0; s < count; s++) mean[s] = (mean[s] ?? 0) / Math.max(1, lines[s] ?? 1);
  return { lines, mean, most };
}

/** 1 / place: 1 for the best scope, 1/2 for the next; equal scores share a place. */
function ranksOf(scores: Float64Array): Float64Array {
  const sorted = [...new Set([...scores].map((s) => Math.round(s * 1024)))].sort((a, b) => b - a);
  const place = new Map(sorted.map((s, i) => [s, 1 / (i + 1)]));
  return scores.map((s) => (s > 0 ? (place.get(Math.round(s * 1024)) ?? 0) : 0));
}

const known = new WeakMap<Outline, Uint8Array>();

/** Comment lines, and the string that opens a body; remembered by the outline. */
function docLines(input: FeatureInput, owner: Int32Array): Uint8Array {
  const doc = known.get(input.outline) ?? findDocLines(input, owner);
  known.set(input.outline, doc);
  return doc;
}

function findDocLines({ table, outline }: FeatureInput, owner: Int32Array): Uint8Array {
  const doc = new Uint8Array(table.count);
  for (let i = 0; i < table.count; i++) if (((outline.role[i] ?? 0) & ROLE.comment) !== 0) doc[i] = 1;
  outline.scopes.forEach((s, at) => {
    const first = s.headerEnd + 1;
    if (owner[at] !== at || first > s.end || !/^\s*[rRuU]?(?:"""|''')/.test(lineAt(table, first).slice(0, 100))) return;
    const quote = lineAt(table, first).includes('"""') ? '"""' : "'''";
    const opened = lineAt(table, first).indexOf(quote) + 3;
    doc[first] = 1;
    if (lineAt(table, first).includes(quote, opened)) return;
    for (let i = first + 1; i <= Math.min(s.end, first + 200); i++) {
      doc[i] = 1;
      if (lineAt(table, i).includes(quote)) return;
    }
  });
  return doc;
}
