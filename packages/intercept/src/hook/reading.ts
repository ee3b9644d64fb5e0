// What an adapter makes of a tool's result: the text to cut, and the way to put a shorter one back in the result's own
// shape. A client ignores an answer of any other shape without a word.
import { type ClientId, type ShownThing, shownCharsOf, traitsOf } from "@jeeves/base";
import type { OutputClass, SearchCall } from "@jeeves/cut";
import type { SourceKind } from "@jeeves/prune";
import type { HookAnswer } from "./hook-answer.ts";

export interface Reading {
  readonly text: string;
  readonly class: OutputClass;
  /** The number of the text's first line in its file; default 1. */
  readonly firstLine?: number;
  /** a text as the client shows it to its model; default: as it is. */
  readonly clientView?: (text: string, model?: string) => string;
  /** Under this many tokens the result is left alone. */
  readonly minTokens: number;
  readonly kind?: SourceKind;
  readonly path?: string;
  /** Kept lines carry their numbers, because the client would number them anew. */
  readonly numbered: boolean;
  /** The file can simply be read again by line numbers. */
  readonly isWholeFile: boolean;
  /** What the call itself asks for. */
  readonly asked: readonly string[];
  /** What is read, in a few words: a path, a pattern. */
  readonly what: string;
  /** of a search, what decides how its matches are shown. */
  readonly search?: Omit<SearchCall, "focus">;
  /** where the client shows less of an answer than of a result. */
  readonly maxChars?: number;
  readonly replace: (shown: string) => HookAnswer;
  /** The result as it is with a line of ours behind it; default: the text is replaced by itself and that line. */
  readonly withNotice?: (notice: string) => HookAnswer;
}

/** What a command printed. */
export interface CommandReading {
  readonly command: string;
  /** All of it. */
  readonly text: string;
  readonly exitCode: number;
  /** Where it ran; default: the session's directory. */
  readonly dir?: string;
  readonly replace: (shown: string) => HookAnswer;
}

/** X-23's floor for everything that has no higher one. */
export const MIN_TOKENS = 1_500;

/** For a whole file: its user asked for it, not for a search, so only one that is dear on every later turn is cut. */
export const READ_MIN_TOKENS = 6_000;

/** the room where a client shows less of an answer than of a result. */
export function roomFor(client: ClientId, thing: ShownThing): { readonly maxChars?: number } {
  const maxChars = shownCharsOf(traitsOf(client), thing, {});
  return maxChars === undefined ? {} : { maxChars };
}
