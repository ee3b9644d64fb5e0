// A tool's result as an adapter returns it: the text to cut, and a function that puts a shorter one back into the result's
// own shape. Clients silently ignore an answer of another shape.
import { type ClientId, type ShownThing, shownCharsOf, traitsOf } from "@jeeves/base";
import type { OutputClass, SearchCall } from "@jeeves/cut";
import type { SourceKind } from "@jeeves/prune";
import type { HookAnswer } from "./hook-answer.ts";

/** A tool's result as a text that may be cut. `replace` makes the hook's answer from the shown text. */
export interface Reading {
  readonly text: string;
  readonly class: OutputClass;
  /** The number of the text's first line in its file; default 1. */
  readonly firstLine?: number;
  /** how the client shows a text to its model; default: unchanged. */
  readonly clientView?: (text: string, model?: string) => string;
  /** A result with fewer tokens is not cut. */
  readonly minTokens: number;
  readonly kind?: SourceKind;
  readonly path?: string;
  /** Kept lines get their numbers, because the client would number them anew. */
  readonly numbered: boolean;
  /** Whether the file can be read again by line numbers. */
  readonly isWholeFile: boolean;
  /** What the call itself asks for. */
  readonly asked: readonly string[];
  /** What was read, in short: a path, a pattern. */
  readonly what: string;
  /** for a search, the parts of its call that decide how matches are shown. */
  readonly search?: Omit<SearchCall, "focus">;
  /** set where the client shows less of a hook's answer than of a result. */
  readonly maxChars?: number;
  readonly replace: (shown: string) => HookAnswer;
  /** The whole result with a line of ours after it; default: `replace` with the text and that line. */
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

/** results with fewer tokens are not cut, unless a higher limit applies. */
export const MIN_TOKENS = 1_500;

/** The limit for a whole file, which was asked for by name: only a large one, paid for on every later turn, is cut. */
export const READ_MIN_TOKENS = 6_000;

/** the most characters of a hook's answer, where the client has such a limit. */
export function roomFor(client: ClientId, thing: ShownThing): { readonly maxChars?: number } {
  const maxChars = shownCharsOf(traitsOf(client), thing, {});
  return maxChars === undefined ? {} : { maxChars };
}
