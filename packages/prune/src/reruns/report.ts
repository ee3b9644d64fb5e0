// What a report of a failure is.

/** Lines are 0-based and inclusive. */
export interface FailureReport {
  readonly from: number;
  readonly to: number;
  /** With the blank lines and the rule below it. */
  readonly end: number;
  /** More than one where a tool tells one reason for several tests. */
  readonly names: readonly string[];
  /** The line of its name, where that is not the first. */
  readonly head?: number;
  /** It may only list what another report tells of in full. */
  readonly isListed?: true;
  /** It counts only beside a report of the same name that tells of the failure in full. */
  readonly needsFull?: true;
  /** Of a test whose name does not say it, where its report does. */
  readonly file?: string;
  /** Of a finding: its file and line. */
  readonly place?: { readonly path: string; readonly line: number };
}

/** A report before its end is looked for. */
export type FoundReport = Omit<FailureReport, "end">;
