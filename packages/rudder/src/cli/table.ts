// Rows as aligned text. On a terminal the last column is cut to the width; anywhere else nothing is.
import { oneLine } from "@jeeves/base";

export interface TableOptions {
  readonly columns?: number | undefined;
}

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
        column === row.length - 1
          ? cut(cell, room)
          : cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))),
      );
      return cells.join("  ").trimEnd();
    })
    .join("\n");
}

export function toBar(part: number, whole: number, width = 20): string {
  const filled = whole === 0 ? 0 : Math.floor((part / whole) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}

function cut(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += widthOf(character);
    if (width > room - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** How many columns a terminal gives it: two for East Asian letters and emoji, none for marks. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\u200d|\ufe0f/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
