// One line of `jeeves doctor`.

/** One thing that was checked: its state, what was found, and how to mend it. */
export interface Check {
  readonly name: string;
  /** `note`: it works without, or will do. `bad`: something that people ask for does not work. */
  readonly state: "good" | "note" | "bad";
  readonly found: string;
  readonly mend?: string;
  /** Mends it, where that takes nothing away that is the user's; returns what it did. */
  readonly fix?: () => Promise<string>;
}

/** The same check with a way to mend it. */
export const withFix = (check: Check, fix: () => Promise<string>): Check => ({ ...check, fix });

/** A check of something that works. */
export const good = (name: string, found: string): Check => ({ name, state: "good", found });
/** A check of something that is missing or could be better. */
export const note = (name: string, found: string, mend: string): Check => ({ name, state: "note", found, mend });
/** A check of something that is broken. */
export const bad = (name: string, found: string, mend: string): Check => ({ name, state: "bad", found, mend });
