// How often something of a cut is asked for again, and how much of it then comes back. Written by train/fit-policy.mjs.
// Provenance: 21,472 results of recorded sessions (549 runs of Claude Code in 6 projects, 105 of Codex, 85 of OpenCode, 627
// of mini-swe-agent), with the lines that the agents used later; a logistic fit of "a dropped line was used later" on the
// class and the share shown before, weighted by what the cut saves. Figures by project that was left out: train/README.md.
// A class that has no short form (outline-for.ts) has zeros there.
import type { OutputClass } from "./situation.ts";

interface ClassCoefficients {
  /** Log odds that something is asked for again. */
  readonly odds: number;
  /** Share of the saved tokens that comes back then. */
  readonly back: number;
}

/** The coefficients of one way to cut. */
export interface WayCoefficients {
  readonly classes: Readonly<Record<OutputClass, ClassCoefficients>>;
  /** Added to the odds for a text that the session was shown before, by its share. */
  readonly repeated: number;
}

/** The fitted coefficients of each way to cut. */
export const COEFFICIENTS: Readonly<Record<"engine" | "outline" | "short", WayCoefficients>> = {
  engine: {
    classes: {
      read: {
        odds: -0.14,
        back: 0.38,
      },
      "read-range": {
        odds: -0.7,
        back: 0.69,
      },
      search: {
        odds: -0.71,
        back: 0.51,
      },
      test: {
        odds: -2.53,
        back: 0.3,
      },
      run: {
        odds: -2.15,
        back: 0.38,
      },
      git: {
        odds: -1.38,
        back: 0.86,
      },
      other: {
        odds: -1.39,
        back: 0.3,
      },
    },
    repeated: 0.77,
  },
  outline: {
    classes: {
      read: {
        odds: 0.78,
        back: 0.26,
      },
      "read-range": {
        odds: 0.42,
        back: 0.45,
      },
      search: {
        odds: 0.53,
        back: 0.35,
      },
      test: {
        odds: -0.11,
        back: 0.19,
      },
      run: {
        odds: -0.72,
        back: 0.34,
      },
      git: {
        odds: -1.24,
        back: 0.63,
      },
      other: {
        odds: -0.37,
        back: 0.25,
      },
    },
    repeated: 0.92,
  },
  short: {
    classes: {
      read: {
        odds: 0,
        back: 0,
      },
      "read-range": {
        odds: 0,
        back: 0,
      },
      search: {
        odds: -3.94,
        back: 0.8,
      },
      test: {
        odds: -2.39,
        back: 0.33,
      },
      run: {
        odds: -2.6,
        back: 0.36,
      },
      git: {
        odds: 0,
        back: 0,
      },
      other: {
        odds: 0,
        back: 0,
      },
    },
    repeated: 0.44,
  },
};
