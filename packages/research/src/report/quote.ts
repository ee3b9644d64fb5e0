// A line as a short quote: trimmed, cut, on one line. What it is cut to is still in the file, so it can be checked.

/** The length of a quote, without the "…" that may follow it. */
const MAX_QUOTE_CHARS = 110;

/** The line without the blanks around it, cut to `maxChars` characters. */
export function toQuote(line: string, maxChars = MAX_QUOTE_CHARS): string {
  const text = line.trim();
  if (text.length <= maxChars) return text;
  let end = maxChars;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end--; // never half of a character
  return `${text.slice(0, end).trimEnd()}…`;
}
