// What a scan finds in one file.

/** What a definition defines; "section" is a heading, or a stretch of a text without definitions. */
export type DefinitionKind = "class" | "function" | "type" | "section" | "constant";

/** Lines are 0-based and inclusive. Scope 0 is what stands outside of every other. */
export interface ScannedScope {
  readonly kind: DefinitionKind | "file";
  readonly name: string;
  /** The comments and decorators above it included. */
  readonly start: number;
  /** The line that has its name. */
  readonly header: number;
  readonly end: number;
  readonly parent: number;
}

/** The scan of one text; terms are numbers (`termId`). */
export interface ScannedFile {
  readonly lineCount: number;
  readonly scopes: readonly ScannedScope[];
  /** Per scope, in order: pairs of term and count; scope s owns rows[rowStart[s], rowStart[s+1]). */
  readonly rowStart: Uint32Array;
  readonly rowTerm: Uint32Array;
  readonly rowCount: Uint8Array;
  /** Names that are defined without being a scope: constants. */
  readonly constants: readonly { readonly name: string; readonly line: number }[];
  readonly imports: readonly string[];
}
