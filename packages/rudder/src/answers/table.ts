// Rows as aligned text. On a terminal the last column is cut to the width; anywhere else nothing is.
import { oneLine } from "@jeeves/base";
import { cutToWidth, padToWidth, widthOf } from "./width.ts";

/** `columns`: the terminal's width; without it nothing is cut. */
export interface TableOptions {
  readonly columns?: number | undefined;
}

/** Aligned columns below their heads; empty where there are no rows. The last column keeps 16 characters at least. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  if (rows.length === 0) return "";
  const all = [head, ...rows].map((row) => row.map((cell) => oneLine(cell)));
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = options.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(16, options.columns - before);
  return all
    .map((row) => {
      const cells = row.map((cell, column) =>
        column === row.length - 1 ? cutToWidth(cell, room) : padToWidth(cell, widths[column] ?? 0),
      );
      return cells.join("  ").trimEnd();
    })
    .join("\n");
}

/** A bar of `width` blocks; the filled ones are rounded down. */
export function toBar(part: number, whole: number, width = 20): string {
  const filled = whole === 0 ? 0 : Math.floor((part / whole) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}
