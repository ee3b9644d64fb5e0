export function exportsIn(text: string): { readonly name: string; readonly isDocumented: boolean }[];
export function commentWords(text: string): { readonly words: number; readonly dialect: readonly string[] };
