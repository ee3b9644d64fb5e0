// The figures that every view of the statistics adds up, in plain input tokens unless a name has another unit.

/** Figures of a session, a tool, a project, a client, an hour or of all. */
export interface Sums {
  /** The bill by part. */
  readonly starting: number;
  readonly misses: number;
  readonly results: number;
  readonly output: number;
  readonly rest: number;
  /** What the cuts saved, at the prices of the calls that would have read it. */
  readonly saved: number;
  /** What was shown beyond what the client would have shown, to make failures and answers visible. */
  readonly visible: number;
  /** What was asked for again: one more turn each, and what came back. */
  readonly back: number;
  /** Our own tools in the prompt. */
  readonly surface: number;
  /** The same for cuts in shadow, which were not made. */
  readonly shadowSaved: number;
  readonly shadowBack: number;
  /** Calls of the model. */
  readonly calls: number;
  /** Cuts, and those of an older version, which did not record what the client would have shown. */
  readonly cuts: number;
  readonly olderCuts: number;
  readonly shadowCuts: number;
  /** Tokens of the texts that were cut: whole, as the client would have shown them, and as they were shown. */
  readonly rawTokens: number;
  readonly shownTokens: number;
  readonly keptTokens: number;
  readonly recoveries: number;
  readonly recoveredTokens: number;
  /** Times that the same call was made again. */
  readonly askedAgain: number;
  readonly shadowMissed: number;
  /** Sessions that are no longer cut. */
  readonly stopped: number;
  /** Results with a failure that the client would have hidden, and others with a clear match that it would have. */
  readonly failuresVisible: number;
  readonly answersVisible: number;
  /** Cuts with a prediction, how many of them were expected to be asked for again, and how many were. */
  readonly riskCuts: number;
  readonly predicted: number;
  readonly actual: number;
}

/** Sums that can be added to. */
export type OpenSums = { -readonly [name in keyof Sums]: number };

/** All figures zero. */
export function noSums(): OpenSums {
  return {
    starting: 0,
    misses: 0,
    results: 0,
    output: 0,
    rest: 0,
    saved: 0,
    visible: 0,
    back: 0,
    surface: 0,
    shadowSaved: 0,
    shadowBack: 0,
    calls: 0,
    cuts: 0,
    olderCuts: 0,
    shadowCuts: 0,
    rawTokens: 0,
    shownTokens: 0,
    keptTokens: 0,
    recoveries: 0,
    recoveredTokens: 0,
    askedAgain: 0,
    shadowMissed: 0,
    stopped: 0,
    failuresVisible: 0,
    answersVisible: 0,
    riskCuts: 0,
    predicted: 0,
    actual: 0,
  };
}

/** Adds a change to `sums`. */
export function addTo(sums: OpenSums, change: Partial<Sums>): void {
  for (const name in change) sums[name as keyof Sums] += change[name as keyof Sums] ?? 0;
}

/** The whole bill. */
export function billOf({ starting, misses, results, output, rest }: Sums): number {
  return starting + misses + results + output + rest;
}

/** What the cuts were worth, less everything that they cost; a loss is negative. */
export function netOf({ saved, visible, back, surface }: Sums): number {
  return saved - visible - back - surface;
}

/** What the cuts in shadow would have been worth. Our tools are in the prompt either way. */
export function shadowNetOf({ shadowSaved, shadowBack }: Sums): number {
  return shadowSaved - shadowBack;
}

/** A share, 0 where there is nothing to have a share of. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** The net as a share of what the same sessions would have cost without us. */
export function netShareOf(sums: Sums): number {
  return shareOf(netOf(sums), billOf(sums) + netOf(sums));
}
