// Columns about a line's place and role: its place in scope and text, its depth, its role and the shape of its statement.
// They are independent of the focus.
import { type Outline, ROLE, type ScopeKind } from "../../outline/outline.ts";
import { indentOf, lineAt, lineLength } from "../../text/lines.ts";
import type { FeatureInput, Features } from "../features.ts";
import { type Column, columnBy, logScale, spread, UNIT } from "./column.ts";

const KINDS: readonly ScopeKind[] = ["file", "class", "function", "section", "group", "block", "branch"];
const ENDS = /^\s*(?:return|yield|raise|throw|panic|break|continue|exit|goto)\b/;
const FORKS = /^\s*[})]*\s*(?:if|el(?:se|if|sif)|else if|switch|case|match|when|unless|default)\b/;
const LOOPS = /^\s*(?:async\s+)?(?:for|while|loop|do|until|foreach)\b/;
const GUARDS = /^\s*[})]*\s*(?:try|catch|except|finally|rescue|ensure|defer|with|using)\b/;
const SETS = /^[^"'`(]*[^=!<>"'`(]=(?!=|>)/;
const CONSTANT = /^\s*(?:export |pub |static |final |const |#define |public |private )*[A-Z][A-Z0-9_]{2,}\b\s*[:=(\s]/;
const LOOK_CHARS = 200;

/** By the first character of a line, past its spaces and tabs: whether a pattern may match. Where that is no character of ASCII, it may. */
const MAY_END = markOf("rytpbceg");
const MAY_FORK = markOf("})iescmwud");
const MAY_LOOP = markOf("afwldu");
const MAY_GUARD = markOf("})tcefrdwu");
const MAY_BE_CONSTANT = markOf("epsfc#ABCDEFGHIJKLMNOPQRSTUVWXYZ");

function markOf(chars: string): Uint8Array {
  const marks = new Uint8Array(128).fill(1, 0, 32);
  for (let k = 0; k < chars.length; k++) marks[chars.charCodeAt(k)] = 1;
  return marks;
}

function statementOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  if (at === line.length) return 0;
  const c = line.charCodeAt(at);
  const may = (marks: Uint8Array): boolean => marks[c] !== 0;
  if (may(MAY_END) && ENDS.test(line)) return 1;
  if (may(MAY_FORK) && FORKS.test(line)) return 2;
  if (may(MAY_LOOP) && LOOPS.test(line)) return 3;
  if (may(MAY_GUARD) && GUARDS.test(line)) return 4;
  if (may(MAY_BE_CONSTANT) && CONSTANT.test(line)) return 5;
  if (line.includes("=") && SETS.test(line)) return 6;
  return line.includes("(") ? 7 : 0;
}

const known = new WeakMap<Outline, readonly Column[]>();

/** The columns of a text, remembered by its outline. */
export function placeColumns(input: FeatureInput, f: Features): readonly Column[] {
  const columns = known.get(input.outline) ?? readColumns(input, f);
  known.set(input.outline, columns);
  return columns;
}

function readColumns({ table, outline }: FeatureInput, f: Features): Column[] {
  const { scopes, scopeOf, role } = outline;
  const n = table.count;
  const depth = new Float64Array(scopes.length);
  scopes.forEach((s, i) => {
    if (i > 0) depth[i] = (depth[s.parent] ?? 0) + 1;
  });
  const kinds = Float64Array.from(scopes, ({ kind }) => Math.max(0, KINDS.indexOf(kind)) / 8);
  const scopeAt = (i: number) => scopes[f.owner[scopeOf[i] ?? 0] ?? 0];
  const sized = (i: number): number => {
    const s = scopeAt(i);
    return s === undefined ? 0 : (i - s.lead) / Math.max(1, s.end - s.lead);
  };
  return [
    ["is_blank", bits(role, ROLE.blank)],
    ["is_import", bits(role, ROLE.import)],
    ["is_comment", bits(role, ROLE.comment)],
    ["is_header", bits(role, ROLE.header)],
    ["is_closer", bits(role, ROLE.closer)],
    ["statement", columnBy(n, (i) => statementOf(lineAt(table, i).slice(0, LOOK_CHARS)) / 8)],
    ["unit_lines", columnBy(n, (i) => logScale((outline.unitEnd[i] ?? i) - (outline.unitStart[i] ?? i) + 1))],
    ["indent", columnBy(n, (i) => Math.min(80, Math.max(0, indentOf(table, i))) / 80)],
    ["chars", columnBy(n, (i) => logScale(lineLength(table, i)))],
    ["words", columnBy(n, (i) => logScale(f.hits.wordCount[i] ?? 0))],
    [
      "depth",
      spread(
        scopeOf,
        depth.map((d) => Math.min(16, d)),
        16,
      ),
    ],
    [
      "owner_kind",
      spread(
        scopeOf,
        kinds.map((_, s) => kinds[f.owner[s] ?? 0] ?? 0),
      ),
    ],
    ["inner_kind", spread(scopeOf, kinds)],
    ["in_scope", columnBy(n, sized)],
    ["from_start", columnBy(n, (i) => logScale(i - (scopeAt(i)?.start ?? 0)))],
  ];
}

function bits(role: Uint8Array, mask: number): Int16Array {
  const out = new Int16Array(role.length);
  for (let i = 0; i < out.length; i++) out[i] = ((role[i] ?? 0) & mask) === 0 ? 0 : UNIT;
  return out;
}
