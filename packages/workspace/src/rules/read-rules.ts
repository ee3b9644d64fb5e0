// What a rule decides about one path, for the rules of every client.
import { isAbsolute, relative, sep } from "node:path";
import { WorkspaceError } from "../workspace-error.ts";
import { compileGlob, type Glob, type GlobOptions } from "./glob.ts";

/** Why a path may not be read. */
export interface Verdict {
  /**
   * `ask`: the client would ask its user first. `agent`: one of the client's agents may not, and it is not known which
   * one asks. `unknown`: the file's rules could not be read. `private`: a file of our own that no tool shows.
   */
  readonly effect: "deny" | "ask" | "agent" | "unknown" | "private";
  /** The rule as it is written; for `unknown`, what is wrong with the file; for `private`, the directory or file. */
  readonly rule: string;
  /** Where the rule stands: a settings file, or a variable. */
  readonly source: string;
}

/** What may not be read, by the rules of one client or of several. */
export interface ReadRules {
  /** Why an absolute path may not be read; undefined where nothing forbids it. */
  verdictOn(path: string): Verdict | undefined;
  /** Why nothing may be searched for this pattern; only some clients have such rules. */
  verdictOnSearch?(pattern: string): Verdict | undefined;
}

/** A rule that could not be understood, and the file that it is in. */
export interface RuleProblem {
  readonly source: string;
  readonly rule?: string;
  readonly message: string;
}

/** Rules that forbid nothing. */
export const NO_RULES: ReadRules = { verdictOn: () => undefined };

/** Rules that could not be read: they forbid everything. */
export function unknownRules(source: string, reason: string): ReadRules {
  return { verdictOn: () => ({ effect: "unknown", rule: reason, source }) };
}

/** The rules that `make` returns; where it fails, unknownRules. */
export async function rulesOrUnknown(source: string, make: () => Promise<ReadRules>): Promise<ReadRules> {
  try {
    return await make();
  } catch (error) {
    return unknownRules(source, error instanceof Error ? error.message : String(error));
  }
}

/** Joins rules: the first that forbids a path decides. */
export function joinRules(all: readonly ReadRules[]): ReadRules {
  if (all.length === 0) return NO_RULES;
  return {
    verdictOn(path) {
      for (const rules of all) {
        const verdict = rules.verdictOn(path);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    },
    verdictOnSearch(pattern) {
      for (const rules of all) {
        const verdict = rules.verdictOnSearch?.(pattern);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    },
  };
}

/** Rules that forbid files of our own, and everything below them. */
export function createPrivateRules(places: readonly string[]): ReadRules {
  return {
    verdictOn(path) {
      const place = places.find((each) => segmentsBelow(each, path) !== undefined);
      return place === undefined ? undefined : { effect: "private", rule: place, source: "Jeeves" };
    },
  };
}

/** A glob with the absolute directory that it counts from. */
export interface PlacedGlob extends Glob {
  readonly base: string;
}

/** Compiles a glob that counts from the directory `base`. */
export function placeGlob(base: string, glob: string, options: GlobOptions): PlacedGlob {
  return { base, ...compileGlob(glob, options) };
}

/** True where the path lies below the glob's directory and the glob matches it, or a directory above it. */
export function matchesPlaced({ base, matches }: PlacedGlob, path: string): boolean {
  const segments = segmentsBelow(base, path);
  return segments !== undefined && segments.length > 0 && matches(segments);
}

/** The names between a directory and a path inside it; undefined where it lies elsewhere. */
export function segmentsBelow(base: string, path: string): readonly string[] | undefined {
  const below = relative(base, path);
  if (below === "") return [];
  const segments = below.split(sep);
  return segments[0] === ".." || isAbsolute(below) ? undefined : segments;
}

/** The refusal of a file, in words for the model. */
export function toDeniedError(shownPath: string, { effect, rule, source }: Verdict): WorkspaceError {
  if (effect === "ask")
    return new WorkspaceError(
      "denied",
      `${shownPath} may only be read with the user's approval: ${rule} in ${source}`,
      {
        hint: "use your own file reading tool, which asks the user",
      },
    );
  if (effect === "agent")
    return new WorkspaceError("denied", `${shownPath} may not be read by every agent: ${rule} in ${source}`, {
      hint: "use your own file reading tool, which knows the agent",
    });
  if (effect === "unknown")
    return new WorkspaceError("denied", `${shownPath} was not read, because ${source} ${rule}: its rules are unknown`, {
      hint: "ask the user to repair that file; your own file reading tool still works",
    });
  if (effect === "private")
    return new WorkspaceError("denied", `${shownPath} is private to ${source}: ${rule}`, {
      hint: "stored texts come back by recover_text with their id",
    });
  return new WorkspaceError("denied", `${shownPath} is on the deny list: ${rule} in ${source}`, {
    hint: "this file may not be read here; work without it",
  });
}

/** The refusal of a search as a whole. */
export function toDeniedSearchError({ effect, rule, source }: Verdict): WorkspaceError {
  return new WorkspaceError("denied", `this search is not allowed: ${rule} in ${source}`, {
    hint: effect === "deny" ? "work without searching for it" : "use your own search tool",
  });
}
