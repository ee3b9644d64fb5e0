// How a text may be cut by its form: JSON, a page, a table, one endless line. A shape gives the text as rows
// (its lines, or parts of lines that are too long for one) with their outline; the engine works on rows as it does on lines.
import type { Outline } from "../outline/outline.ts";
import type { LineTable } from "../text/lines.ts";

export interface Shape {
  readonly name: "json" | "page" | "table" | "packed";
  /** Every line begins a row; where cuts inside a line are allowed, a long line is several. */
  readonly rows: LineTable;
  readonly outline: Outline;
  /** Per row 0..1: how much it tells whatever is asked; examples of a list, the top of a tree. */
  readonly telling?: Float64Array;
  /** Per row: 1 where it is of no use to a reader (scripts, navigation). */
  readonly idle?: Uint8Array;
  /** Rows that all others are read by, such as a table's header. */
  readonly frame?: readonly number[];
  /** Each row stands alone: its neighbours are no context. */
  readonly isList: boolean;
  /** The row that names the columns of this one; -1 for none. */
  readonly above?: (row: number) => number;
  /** What a row is called: a key; "" where it has no name. */
  readonly nameOf?: (row: number) => string;
  /** What a run of rows holds (0-based, inclusive), in a few words; "" where there is nothing to name. */
  readonly holds?: (from: number, to: number) => string;
}

/** What a shape is read with. */
export interface ShapeInput {
  readonly table: LineTable;
  /** Whether a long line may be several rows. */
  readonly insideLines: boolean;
  /** Another program put something before each line of what was printed: that makes no columns. */
  readonly hasPrefixes?: boolean;
  /** Called now and then; throws where the work is to end. */
  readonly poll: () => void;
}

/** A line of more characters may be cut inside. */
export const LONG_LINE = 400;
