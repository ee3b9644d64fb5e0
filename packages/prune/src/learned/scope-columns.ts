// Columns about the function, class or section that a line belongs to: how well it matches as a whole, by its name, its
// doc, its parts and the scopes that it names or that name it.
import type { FeatureInput, Features } from "../features.ts";
import { lineAt } from "../lines.ts";
import { type Outline, ROLE } from "../outline.ts";
import { termsOf, wholeOf } from "../words.ts";
import { type Column, logScale, toColumn } from "./column.ts";

export function scopeColumns(input: FeatureInput, f: Features): Column[] {
  const { outline, focus } = input;
  const { scopes, scopeOf } = outline;
  const { owner, scopeScore, hits, idf } = f;
  const n = scopeOf.length;
  const count = scopes.length;
  const ownerAt = (i: number): number => owner[scopeOf[i] ?? 0] ?? 0;
  const top = scopeScore.reduce((a, b) => Math.max(a, b), 1e-9);
  const all = Math.max(
    1e-9,
    idf.reduce((a, b) => a + b, 0),
  );

  const docLine = docLines(input, owner);
  const [cover, doc, inner] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const [ownSum, ownMax, lines, innerLines] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  const inScope = new Set<number>();
  const inDoc = new Set<number>();
  const terms = idf.length;
  for (let i = 0; i < n; i++) {
    const s = ownerAt(i);
    const at = scopeOf[i] ?? 0;
    const own = f.own[i] ?? 0;
    ownSum[s] = (ownSum[s] ?? 0) + own;
    ownMax[s] = Math.max(ownMax[s] ?? 0, own);
    lines[s] = (lines[s] ?? 0) + 1;
    inner[at] = (inner[at] ?? 0) + own;
    innerLines[at] = (innerLines[at] ?? 0) + 1;
    for (let k = hits.rowStart[i] ?? 0; k < (hits.rowStart[i + 1] ?? 0); k++) {
      const t = hits.term[k] ?? 0;
      const key = s * terms + t;
      if (!inScope.has(key)) cover[s] = (cover[s] ?? 0) + (idf[t] ?? 0);
      inScope.add(key);
      if (docLine[i] === 0 || inDoc.has(key)) continue;
      doc[s] = (doc[s] ?? 0) + (idf[t] ?? 0);
      inDoc.add(key);
    }
  }
  const bestPart = new Float64Array(count);
  for (let s = count - 1; s > 0; s--) {
    const up = owner[scopes[s]?.parent ?? 0] ?? 0;
    if (up !== s) bestPart[up] = Math.max(bestPart[up] ?? 0, bestPart[s] ?? 0, scopeScore[s] ?? 0);
  }
  const rank = ranksOf(scopeScore);
  const nameShare = Float64Array.from(scopes, ({ name }) => {
    const parts = termsOf(name);
    return parts.length === 0 ? 0 : parts.filter((t) => focus.index.has(t)).length / parts.length;
  });
  const { named, naming } = linksOf(outline, f);
  const perScope = (values: Float64Array, scale = 1): Int16Array =>
    toColumn(n, (i) => (values[ownerAt(i)] ?? 0) / scale);
  return [
    ["scope", perScope(scopeScore, top)],
    ["scope_rank", perScope(rank)],
    ["scope_share", perScope(cover, all)],
    ["scope_doc", perScope(doc, all)],
    ["scope_mean", toColumn(n, (i) => (ownSum[ownerAt(i)] ?? 0) / (lines[ownerAt(i)] ?? 1))],
    ["scope_most", perScope(ownMax)],
    ["scope_part", perScope(bestPart, top)],
    ["scope_name", toColumn(n, (i) => f.name[i] ?? 0)],
    ["name_share", perScope(nameShare)],
    ["scope_parent", toColumn(n, (i) => f.parent[i] ?? 0)],
    ["scope_linked", toColumn(n, (i) => f.linked[i] ?? 0)],
    ["scope_test", toColumn(n, (i) => f.test[i] ?? 0)],
    ["scope_lines", toColumn(n, (i) => logScale(lines[ownerAt(i)] ?? 0))],
    ["inner_mean", toColumn(n, (i) => (inner[scopeOf[i] ?? 0] ?? 0) / (innerLines[scopeOf[i] ?? 0] ?? 1))],
    ["inner_lines", toColumn(n, (i) => logScale(innerLines[scopeOf[i] ?? 0] ?? 0))],
    ["names_scope", toColumn(n, (i) => (named[i] ?? 0) / top)],
    ["named_near", perScope(naming)],
    ["is_doc", toColumn(n, (i) => docLine[i] ?? 0)],
  ];
}

/** 1 / place: 1 for the best scope, 1/2 for the next; equal scores share a place. */
function ranksOf(scores: Float64Array): Float64Array {
  const sorted = [...new Set([...scores].map((s) => Math.round(s * 1024)))].sort((a, b) => b - a);
  const place = new Map(sorted.map((s, i) => [s, 1 / (i + 1)]));
  return scores.map((s) => (s > 0 ? (place.get(Math.round(s * 1024)) ?? 0) : 0));
}

/** Comment lines, and the string that opens a body. */
function docLines({ table, outline }: FeatureInput, owner: Int32Array): Uint8Array {
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

/** Per line the best score of a scope that it names; per scope the best neighbourhood in which it is named. */
function linksOf({ scopes, scopeOf }: Outline, f: Features): { named: Float64Array; naming: Float64Array } {
  const named = new Float64Array(scopeOf.length);
  const naming = new Float64Array(scopes.length);
  const holders: number[][] = Array.from({ length: f.names.size }, () => []);
  scopes.forEach((s, i) => {
    const id = s.kind === "function" || s.kind === "class" ? f.names.get(wholeOf(s.name)) : undefined;
    if (id !== undefined) holders[id]?.push(i);
  });
  for (let i = 0; i < scopeOf.length; i++) {
    const own = f.owner[scopeOf[i] ?? 0] ?? 0;
    for (let k = f.hits.refStart[i] ?? 0; k < (f.hits.refStart[i + 1] ?? 0); k++) {
      for (const target of (holders[f.hits.ref[k] ?? 0] ?? []).slice(0, 4)) {
        if (target === own) continue;
        named[i] = Math.max(named[i] ?? 0, f.scopeScore[target] ?? 0);
        naming[target] = Math.max(naming[target] ?? 0, f.near[i] ?? 0);
      }
    }
  }
  return { named, naming };
}
