// What the engine needs of a grammar: marks on lines, no tree. By default there are none; ./grammars.ts, a separate entry,
// has those of tree-sitter.
import type { Parts } from "./parts.ts";

/** What a mark stands for. */
export type MarkKind =
  | "class"
  | "function"
  | "block"
  | "branch"
  | "import"
  | "comment"
  | "decorator"
  | "signature" // of a function or a type without a body
  | "statement";

/** A syntactic element. Lines are 0-based and inclusive; marks come in the order in which they begin. */
export interface SyntaxMark {
  readonly kind: MarkKind;
  readonly name: string;
  readonly start: number;
  readonly headerEnd: number;
  readonly end: number;
  /** One long statement (a literal, a call, a string): its last line closes it, whatever it looks like. */
  readonly isLong?: true;
}

/** Reads texts of one language. */
export interface Grammar {
  readonly language: string;
  /**
   * The marks of a text, how many lines the grammar could not read, and which parts may be left out. `shouldStop` is polled;
   * undefined where it stopped the work, or where the text exceeds a limit.
   */
  parse(
    text: string,
    shouldStop: () => boolean,
  ): { readonly marks: readonly SyntaxMark[]; readonly errorLines: number; readonly parts?: Parts } | undefined;
}

/** The grammars that an engine may use, by language. */
export interface Grammars {
  /** The grammar of a language, loaded once; undefined where there is none, or where it cannot be loaded. */
  load(language: string): Promise<Grammar | undefined>;
}
