// One thing that was looked at: how it stands, what was seen, and how to mend it.
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

export const good = (name: string, found: string): Check => ({ name, state: "good", found });
export const note = (name: string, found: string, mend: string): Check => ({ name, state: "note", found, mend });
export const bad = (name: string, found: string, mend: string): Check => ({ name, state: "bad", found, mend });
