// The figures from the user's own transcripts of a period; the page's home view and `jeeves look` show the same. Sizes
// are in tokens; bills are in plain input tokens.

/** A part of the bill, with its name as shown. */
export interface OverviewPart {
  readonly name: string;
  readonly cost: number;
  /** A tool's results, which are counted in the part "results", too. */
  readonly isTool: boolean;
}

/** A file whose content came into one context more than once. */
export interface ReadAgain {
  readonly path: string;
  readonly reads: number;
  readonly tokens: number;
}

/** A failing command whose output the client had cut. */
export interface CutFailure {
  readonly client: string;
  readonly session: string;
  readonly at: string;
  readonly tool: string;
  /** What was left of the output does not show that the command failed. */
  readonly isBlind: boolean;
}

/** What a policy would have saved and cost in the replayed sessions, in plain input tokens. */
export interface PolicyFigures {
  readonly policy: string;
  readonly cuts: number;
  /** What the cuts would have saved, what asking again would have cost, and what remains. */
  readonly saved: number;
  readonly lost: number;
  readonly net: number;
  /** The net as a share of the replayed sessions' bill. */
  readonly netShare: number;
  readonly asked: number;
  readonly sessionsThatLose: number;
  readonly madeVisible: number;
}

/** A period of the user's own sessions. */
export interface Overview {
  readonly since: string;
  readonly sessions: number;
  readonly calls: number;
  readonly bill: number;
  readonly clients: readonly { readonly title: string; readonly sessions: number; readonly bill: number }[];
  readonly parts: readonly OverviewPart[];
  readonly cutFailures: { readonly count: number; readonly blind: number; readonly newest: readonly CutFailure[] };
  readonly readAgain: {
    readonly files: number;
    readonly reads: number;
    readonly tokens: number;
    readonly worst: readonly ReadAgain[];
  };
  readonly replay: {
    readonly sessions: number;
    /** Their share of the bill of all sessions. */
    readonly billShare: number;
    /** Results of 400 tokens or more. */
    readonly results: number;
    readonly policies: readonly PolicyFigures[];
  };
  /** What was not read or not replayed, and why, in words. */
  readonly skipped: readonly string[];
}
