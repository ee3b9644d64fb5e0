// What the engine asks of a grammar: marks on lines, no tree. The default gives none; ./grammars.ts, loaded only by
// those who want it, gives tree-sitter's.
import type { Parts } from "./parts.ts";

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

/** Lines are 0-based and inclusive; marks come in the order in which they begin. */
export interface SyntaxMark {
  readonly kind: MarkKind;
  readonly name: string;
  readonly start: number;
  readonly headerEnd: number;
  readonly end: number;
  /** One long statement (a literal, a call, a string): its last line closes it, whatever it looks like. */
  readonly isLong?: true;
}

/** A parser for one language. */
export interface Grammar {
  readonly language: string;
  /** undefined: it was stopped. */
  parse(
    text: string,
    shouldStop: () => boolean,
  ): { readonly marks: readonly SyntaxMark[]; readonly errorLines: number; readonly parts?: Parts } | undefined;
}

/** The grammars that can be loaded. */
export interface Grammars {
  /** undefined: no such grammar. Loads once; a grammar that fails to load counts as none. */
  load(language: string): Promise<Grammar | undefined>;
}
