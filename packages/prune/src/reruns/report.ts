// The report of a failure.

/** The report of a failed test or of a finding. Lines are 0-based and inclusive. */
export interface FailureReport {
  readonly from: number;
  readonly to: number;
  /** Its last line with the blank lines and the rule below it. */
  readonly end: number;
  /** The names of the tests; more than one where a tool gives one reason for several. */
  readonly names: readonly string[];
  /** The line of its name, where that is not the first. */
  readonly head?: number;
  /** It may only list a failure that another report has in full. */
  readonly isListed?: true;
  /** It counts only beside a full report of the same name. */
  readonly needsFull?: true;
  /** The file of a test, or its package, where the report has it and the name does not. */
  readonly file?: string;
  /** The file and line of a finding. */
  readonly place?: { readonly path: string; readonly line: number };
}

/** A report before its end is looked for. */
export type FoundReport = Omit<FailureReport, "end">;
