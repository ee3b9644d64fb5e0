// How a text's form decides how it may be cut: JSON, a page, a table, one endless line. A shape gives the text as rows (its
// lines, or parts of long lines) with their outline; the engine works on rows as it does on lines.
import type { Outline } from "../outline/outline.ts";
import type { LineTable } from "../text/lines.ts";

/** A text as rows. */
export interface Shape {
  readonly name: "json" | "page" | "table" | "packed";
  /** Every line begins a row; where cuts inside a line are allowed, a long line is several. */
  readonly rows: LineTable;
  readonly outline: Outline;
  /** Per row 0..1: how informative it is for any focus, as examples of a list or the top of a tree are. */
  readonly telling?: Float64Array;
  /** Per row: 1 where it is of no use to a reader (scripts, navigation). */
  readonly idle?: Uint8Array;
  /** Rows that all others need, such as a table's header. */
  readonly frame?: readonly number[];
  /** Rows are independent: their neighbours are no context. */
  readonly isList: boolean;
  /** The row that names the columns of this one; -1 for none. */
  readonly above?: (row: number) => number;
  /** What a row is called: a key; "" where it has no name. */
  readonly nameOf?: (row: number) => string;
  /** What a run of rows holds (0-based, inclusive), in a few words; "" where there is nothing to name. */
  readonly holds?: (from: number, to: number) => string;
}

/** A text whose shape is to be found. */
export interface ShapeInput {
  readonly table: LineTable;
  /** Whether a long line may be several rows. */
  readonly insideLines: boolean;
  /** Another program put a prefix before each line, which is not a column. */
  readonly hasPrefixes?: boolean;
  /** Called now and then; throws where the work is to end. */
  readonly poll: () => void;
}

/** A line of more characters may be cut inside. */
export const LONG_LINE = 400;
