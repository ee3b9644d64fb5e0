// Tables in text: CSV, what databases print, and the columns of `docker ps`, `kubectl get` or `ls -l`. The header stays and
// each record is scored by itself. A record of very many columns is several rows, each read with the names of its columns.
import type { SourceKind } from "../../outline/extensions.ts";
import { leastRow, Rows } from "../rows.ts";
import { LONG_LINE, type Shape, type ShapeInput } from "../shape.ts";
import { delimitedTable } from "./delimited.ts";
import { headedTable } from "./headed.ts";
import type { TableLines } from "./table-lines.ts";

/** Characters of a long record that share a row. */
const CELLS_ROW = 90;
const EXAMPLE = 0.18;
const FOOTER = 0.3;

/** The shape of a table; undefined for any other text. */
export function tableShape(input: ShapeInput, kind: SourceKind, path: string | undefined): Shape | undefined {
  if (kind === "matches" || input.hasPrefixes === true) return undefined;
  const lines = delimitedTable(input.table, path) ?? (path === undefined ? headedTable(input.table) : undefined);
  return lines === undefined ? undefined : toShape(input, lines);
}

function toShape({ table, insideLines, poll }: ShapeInput, { headerEnd, records, delimited }: TableLines): Shape {
  const rows = new Rows(table.text);
  const { starts, text } = table;
  const least = leastRow(text);
  /** Per row of cells the row of the header above it. */
  const above: number[] = [];
  /** Of the header: its rows, by the number of the first column in each. */
  const columns: { readonly column: number; readonly row: number }[] = [];
  for (let i = 0; i < table.count; i++) {
    if (i % 64 === 0) poll();
    const from = starts[i] ?? 0;
    const end = starts[i + 1] ?? text.length;
    rows.begin(from, 0);
    const isLong = insideLines && delimited !== undefined && end - from > LONG_LINE;
    if (i === 0 && delimited !== undefined) columns.push({ column: 0, row: rows.row });
    if (!isLong) continue;
    const scope = i === 0 ? 0 : rows.open("", "block", 0);
    let column = 0;
    let header = 0;
    for (let at = from; at < end - 1; at++) {
      const c = text.charCodeAt(at);
      if (c === 34) {
        const close = text.indexOf('"', at + 1);
        at = close < 0 || close >= end ? end : close;
      } else if (c === delimited.code) {
        column++;
        // The same columns as in the header, so that a row has one name above it.
        const isDue =
          i === 0
            ? at + 1 - rows.startOf(rows.row) >= Math.max(CELLS_ROW, least)
            : columns[header + 1]?.column === column;
        if (!isDue) continue;
        rows.begin(at + 1, scope);
        if (i === 0) columns.push({ column, row: rows.row });
        else above[rows.row] = columns[++header]?.row ?? -1;
      }
    }
    if (scope > 0) rows.close(scope, false);
  }
  const shown = rows.table();
  const units = records.flatMap(([first, last]) => (shown.count === table.count ? [[first, last] as const] : []));
  const telling = new Float64Array(shown.count);
  const frame: number[] = [];
  const isWide = shown.count > table.count;
  if (isWide) telling.fill(EXAMPLE, 0, columns.length);
  for (let i = 0; i <= headerEnd && !isWide; i++) frame.push(i);
  if (headerEnd + 1 < shown.count && !isWide) telling[headerEnd + 1] = EXAMPLE;
  if (!isWide) telling[shown.count - 1] = Math.max(telling[shown.count - 1] ?? 0, FOOTER);
  return {
    name: "table",
    rows: shown,
    outline: rows.outline(units),
    telling,
    frame,
    isList: true,
    ...(isWide ? { above: (row: number) => above[row] ?? -1 } : {}),
  };
}
