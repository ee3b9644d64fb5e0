// JSON by its tree: a kept member brings the keys on its way; the top of the tree and the examples of a list (the first item,
// the last one, and those that differ from the others) are shown where there is room; a marker names the keys it stands for.
import { ROLE } from "../../outline/outline.ts";
import { lineHead } from "../../text/lines.ts";
import { namesOf } from "../holds.ts";
import type { Shape, ShapeInput } from "../shape.ts";
import type { Items } from "./json-items.ts";
import { scanJson } from "./scan-json.ts";

const KEY = /^[\s,]*"((?:[^"\\]|\\.){0,60})"\s*:/;
const TOP = 0.3;
const SECOND = 0.2;
const EXAMPLE = 0.18;
const DIFFERENT = 0.24;
/** In a list of fewer items none is an example for the others. */
const LEAST_ITEMS = 4;
/** A value is one of a kind where the field has few values, and this one stands in few items. */
const FEW_VALUES = 0.2;
const MOST_VALUES = 24;
const RARE = 0.06;
const MOST_DIFFERENT = 40;

/** The shape of JSON; undefined for any other text. */
export function jsonShape(input: ShapeInput): Shape | undefined {
  const scanned = scanJson(input);
  if (scanned === undefined || scanned.rows.count < 2) return undefined;
  const { rows, isList } = scanned;
  const table = rows.table();
  const outline = rows.outline();
  const { scopes, scopeOf, role } = outline;
  const depth = new Int32Array(scopes.length);
  scopes.forEach(({ parent }, s) => {
    if (parent >= 0) depth[s] = (depth[parent] ?? 0) + 1;
  });
  /** How far in a row's key or item stands. */
  const levelOf = (row: number): number => {
    const scope = scopeOf[row] ?? 0;
    return (depth[scope] ?? 0) - (((role[row] ?? 0) & (ROLE.header | ROLE.closer)) !== 0 ? 1 : 0);
  };
  const keyOf = (row: number): string => KEY.exec(lineHead(table, row))?.[1] ?? "";
  const telling = new Float64Array(table.count);
  for (let row = 0; row < table.count; row++) {
    if (((role[row] ?? 0) & ROLE.closer) !== 0) continue;
    // Of a list the examples are enough.
    const at = scopeOf[row] ?? 0;
    const isHeader = ((role[row] ?? 0) & ROLE.header) !== 0;
    if (isList[isHeader ? (scopes[at]?.parent ?? 0) : at] === true) continue;
    const level = levelOf(row);
    telling[row] = level <= 1 ? TOP : level === 2 ? SECOND : 0;
  }
  for (const [row, value] of examplesOf(scanned.items)) telling[row] = Math.max(telling[row] ?? 0, value);
  return {
    name: "json",
    rows: table,
    outline,
    telling,
    isList: true,
    nameOf: keyOf,
    holds(from, to) {
      let least = Number.MAX_SAFE_INTEGER;
      for (let row = from; row <= to; row++) {
        if (((role[row] ?? 0) & (ROLE.closer | ROLE.blank)) === 0) least = Math.min(least, levelOf(row));
      }
      const keys: string[] = [];
      let items = 0;
      for (let row = from; row <= to; row++) {
        if (((role[row] ?? 0) & (ROLE.closer | ROLE.blank)) !== 0 || levelOf(row) !== least) continue;
        const key = keyOf(row);
        if (key === "") items++;
        else keys.push(key);
      }
      if (keys.length > 0) return namesOf(keys);
      return items > 1 ? `${items} items` : "";
    },
  };
}

/** Rows of items that are shown as examples, with what that is worth. */
function examplesOf(items: Items): Map<number, number> {
  const { members } = items;
  const found = new Map<number, number>();
  const lists = new Map<number, number[]>();
  items.list.forEach((list, item) => {
    const known = lists.get(list);
    if (known === undefined) lists.set(list, [item]);
    else known.push(item);
  });
  const listOf = items.list;
  /** Per list and key: how many items have a value, by value. */
  const fields = new Map<string, Map<number, number>>();
  const fieldOf = (m: number): string => `${listOf[members.item[m] ?? 0] ?? 0} ${members.key[m] ?? 0}`;
  for (let m = 0; m < members.item.length; m++) {
    const field = fieldOf(m);
    let values = fields.get(field);
    if (values === undefined) {
      values = new Map();
      fields.set(field, values);
    }
    const value = members.value[m] ?? 0;
    // A field of many values distinguishes nothing.
    if (values.size <= MOST_VALUES) values.set(value, (values.get(value) ?? 0) + 1);
  }
  const different = new Map<number, number>();
  for (let m = 0; m < members.item.length; m++) {
    const item = members.item[m] ?? 0;
    const list = listOf[item] ?? 0;
    const size = lists.get(list)?.length ?? 0;
    const values = fields.get(fieldOf(m));
    if (values === undefined || size < LEAST_ITEMS || (different.get(list) ?? 0) >= MOST_DIFFERENT) continue;
    // Also a key that hardly any item has.
    let all = 0;
    for (const times of values.values()) all += times;
    const isFew = values.size <= Math.min(MOST_VALUES, Math.max(2, size * FEW_VALUES)) || all <= size * RARE;
    if (!isFew || (values.get(members.value[m] ?? 0) ?? 0) > Math.max(1, size * RARE)) continue;
    const row = items.row[item] ?? 0;
    if (found.get(row) !== DIFFERENT) different.set(list, (different.get(list) ?? 0) + 1);
    found.set(row, DIFFERENT);
  }
  for (const list of lists.values()) {
    if (list.length < 2) continue;
    for (const item of [list[0], list.at(-1)]) {
      const row = items.row[item ?? 0] ?? 0;
      if (!found.has(row)) found.set(row, EXAMPLE);
    }
  }
  return found;
}
