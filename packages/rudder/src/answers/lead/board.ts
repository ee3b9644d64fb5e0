// The board on a terminal: four columns side by side where they fit, else one below the other. Text from artefacts
// loses its control characters before it is coloured: only our colours reach the terminal.
import { oneLine } from "@jeeves/base";
import type { Board, BoardTask, Column } from "../../tasks/board.ts";
import type { Answer } from "../answer.ts";
import { brokenNotes, leaseToJson, leaseWords, problemNotes, toJson } from "../views.ts";
import { cutToWidth, padToWidth, widthOf } from "../width.ts";

/** The terminal's width, whether it has colours, and how many tasks of a column are shown. */
interface BoardOptions {
  readonly columns?: number | undefined;
  readonly hasColours: boolean;
  readonly limit: number;
}

const COLUMNS: readonly { readonly name: Column; readonly title: string; readonly code: number }[] = [
  { name: "ready", title: "READY", code: 32 },
  { name: "claimed", title: "CLAIMED", code: 36 },
  { name: "blocked", title: "BLOCKED", code: 33 },
  { name: "done", title: "DONE", code: 2 },
];
const GAP = 2;
/** Narrower than this no title can be read. */
const MIN_COLUMN = 24;

interface Cell {
  readonly text: string;
  readonly code?: number | undefined;
}

/** The whole board. */
export function boardAnswer(board: Board, options: BoardOptions): Answer {
  const paint = ({ text, code }: Cell): string =>
    options.hasColours && code !== undefined && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  const lists = COLUMNS.map((column) => cellsOf(board, column, options.limit));
  const room = options.columns ?? 0;
  const width = Math.floor((room - GAP * (COLUMNS.length - 1)) / COLUMNS.length);
  const text =
    width >= MIN_COLUMN
      ? sideBySide(lists, { width, paint })
      : stacked(lists, { room: room === 0 ? Number.POSITIVE_INFINITY : room, paint });
  return {
    json: {
      columns: COLUMNS.map(({ name }) => ({
        name,
        tasks: board.tasks.filter((one) => one.column === name).map((one) => taskToJson(one, board.nowMs)),
      })),
      problems: board.problems,
    },
    text,
    notes: [...brokenNotes(board.broken), ...problemNotes(board.problems)],
    ...(options.hasColours ? { isPainted: true } : {}),
  };
}

function taskToJson({ task, lease, waitsFor }: BoardTask, nowMs: number): Record<string, unknown> {
  return { ...toJson(task), lease: lease === undefined ? null : leaseToJson(lease, nowMs), waits_for: waitsFor };
}

/** A head, then each task in one or two lines: id and title; who holds it, or what it waits for. */
function cellsOf(board: Board, column: (typeof COLUMNS)[number], limit: number): readonly Cell[] {
  const all = board.tasks.filter((one) => one.column === column.name);
  // Of the done tasks, the latest ids matter most.
  const shown = column.name === "done" ? all.slice(-limit).reverse() : all.slice(0, limit);
  const cells: Cell[] = [{ text: `${column.title} ${all.length}`, code: column.code }];
  for (const { task, lease, waitsFor } of shown) {
    const cancelled = task.status === "Cancelled" ? " (cancelled)" : "";
    cells.push({ text: oneLine(`${task.id} ${task.title}${cancelled}`) });
    if (lease !== undefined) cells.push({ text: `  ${oneLine(leaseWords(lease, board.nowMs))}`, code: 36 });
    else if (column.name === "blocked" && waitsFor.length > 0) {
      cells.push({ text: `  waits for ${oneLine(waitsFor.join(", "))}`, code: 2 });
    }
  }
  if (all.length > shown.length) cells.push({ text: `… ${all.length - shown.length} more: --limit`, code: 2 });
  return cells;
}

function sideBySide(
  lists: readonly (readonly Cell[])[],
  { width, paint }: { readonly width: number; readonly paint: (cell: Cell) => string },
): string {
  const rows = Math.max(...lists.map((cells) => cells.length));
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const cells = lists.map((list) => {
      const cell = list[row] ?? { text: "" };
      const text = cutToWidth(cell.text, width);
      return paint({ ...cell, text }) + padToWidth("", width - widthOf(text) + GAP);
    });
    lines.push(cells.join("").trimEnd());
  }
  return lines.join("\n");
}

function stacked(
  lists: readonly (readonly Cell[])[],
  { room, paint }: { readonly room: number; readonly paint: (cell: Cell) => string },
): string {
  return lists
    .map((cells) => cells.map((cell) => paint({ ...cell, text: cutToWidth(cell.text, room) })).join("\n"))
    .join("\n\n");
}
