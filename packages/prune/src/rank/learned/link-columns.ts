// Columns about a scope's relation to the others: which scopes name each other, what is around it and above it, and what its
// name tells about its role. By names alone; a name that many scopes share is followed to the first few of them.
import type { Outline } from "../../outline/outline.ts";
import type { FeatureInput, Features } from "../features.ts";
import { scopeNames } from "../scope-names.ts";
import { type Column, logScale, mostOf, spread, toColumn } from "./column.ts";

const SAME_NAME = 4;

/** `ownerOf`: per line the scope that it is ranked with. */
export function linkColumns({ outline }: FeatureInput, f: Features, ownerOf: Int32Array): Column[] {
  const { scopes } = outline;
  const { named, naming, mentions, names } = linksOf(outline, f, ownerOf);
  const top = mostOf(f.scopeScore);
  const topName = mostOf(f.scopeName);
  const above = new Float64Array(scopes.length);
  scopes.forEach((s, i) => {
    if (s.parent >= 0) above[i] = Math.max(above[s.parent] ?? 0, (f.scopeName[s.parent] ?? 0) / topName);
  });
  const { isHidden, isMaker } = scopeNames(outline);
  return [
    ["names_scope", toColumn(named, top)],
    ["named_near", spread(ownerOf, naming)],
    ["scope_above", spread(ownerOf, above)],
    ["scope_beside", spread(ownerOf, besides(outline, f), top)],
    ["scope_mentions", spread(ownerOf, mentions.map(logScale))],
    ["scope_names", spread(ownerOf, names.map(logScale))],
    ["is_hidden", spread(ownerOf, isHidden)],
    ["is_maker", spread(ownerOf, isMaker)],
  ];
}

/** The better of the two ranked scopes right before and right after, under the same parent. */
function besides({ scopes }: Outline, { owner, scopeScore }: Features): Float64Array {
  const beside = new Float64Array(scopes.length);
  const last = new Int32Array(scopes.length);
  scopes.forEach((s, i) => {
    if (i === 0 || owner[i] !== i) return;
    const before = last[s.parent] ?? 0;
    last[s.parent] = i;
    if (before === 0) return;
    beside[i] = Math.max(beside[i] ?? 0, scopeScore[before] ?? 0);
    beside[before] = Math.max(beside[before] ?? 0, scopeScore[i] ?? 0);
  });
  return beside;
}

/** Per line the best score of a scope that it names; per scope its best mention, and how often it is named and names. */
function linksOf(
  outline: Outline,
  f: Features,
  ownerOf: Int32Array,
): Record<"named" | "naming" | "mentions" | "names", Float64Array> {
  const { holders } = scopeNames(outline);
  const count = outline.scopes.length;
  const mentions = new Float64Array(count);
  const names = new Float64Array(count);
  const named = new Float64Array(ownerOf.length);
  const naming = new Float64Array(count);
  for (let i = 0; i < ownerOf.length; i++) {
    const own = ownerOf[i] ?? 0;
    for (let k = f.hits.refStart[i] ?? 0; k < (f.hits.refStart[i + 1] ?? 0); k++) {
      const targets = holders[f.hits.ref[k] ?? 0] ?? [];
      for (let nth = 0; nth < targets.length && nth < SAME_NAME; nth++) {
        const target = targets[nth] ?? 0;
        if (target === own) continue;
        mentions[target] = (mentions[target] ?? 0) + 1;
        names[own] = (names[own] ?? 0) + 1;
        named[i] = Math.max(named[i] ?? 0, f.scopeScore[target] ?? 0);
        naming[target] = Math.max(naming[target] ?? 0, f.near[i] ?? 0);
      }
    }
  }
  return { named, naming, mentions, names };
}
