// Clients quote a command to pass it on as one word of a shell line; this takes the quotes off again.
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gs;

/** The word as a shell reads it, without its quotes and backslashes. Expands no variables. */
export function unquoted(word: string): string {
  return word.replace(PIECE, (_piece, single?: string, double?: string, escaped?: string, plain?: string) => {
    return single ?? double?.replace(/\\([$`"\\!])/g, "$1") ?? escaped ?? plain ?? "";
  });
}
