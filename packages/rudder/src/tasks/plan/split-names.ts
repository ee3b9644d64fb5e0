// `after: Parse the header, "Read, then write", T042`: names between commas; one with a comma may stand in quotes.

/** The names of a list, in their order. */
export function splitNames(text: string): string[] {
  const names: string[] = [];
  for (const found of text.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^,]*?))\s*(?:,|$)/g)) {
    const name = found[1]?.replace(/\\(.)/g, "$1") ?? found[2] ?? "";
    if (name.trim() !== "") names.push(name.trim());
  }
  return names;
}
