// One word of a shell line as the shell reads it: what a client quoted to hand it over. It expands nothing.
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gs;

export function unquoted(word: string): string {
  return word.replace(PIECE, (_piece, single?: string, double?: string, escaped?: string, plain?: string) => {
    return single ?? double?.replace(/\\([$`"\\!])/g, "$1") ?? escaped ?? plain ?? "";
  });
}
