// What the readers of tables find in a text.

/** A table as lines: what its header is, and which lines are one record. */
export interface TableLines {
  /** The last line of the header, -1 where there is none. */
  readonly headerEnd: number;
  /** Records of several lines: [first, last]. */
  readonly records: readonly (readonly [number, number])[];
  /** The code of the sign between two values. */
  readonly delimited?: { readonly code: number };
}
