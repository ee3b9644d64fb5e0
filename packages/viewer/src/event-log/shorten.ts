// A text of any length as one line that a row can bear.

const MAX_CHARS = 400;

export function shorten(text: string, maxChars = MAX_CHARS): string {
  const line = text
    .slice(0, maxChars * 2)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
