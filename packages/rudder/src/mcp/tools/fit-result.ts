// a text within what its client shows. A client that gets more cuts the middle out without a notice.

const SMALLEST = 400;

/** The text itself where it fits, else its first lines and a notice of what is left out. */
export function fitResult(text: string, maxChars: number | undefined): string {
  if (maxChars === undefined || text.length <= maxChars) return text;
  const lines = text.split("\n");
  const room = Math.max(SMALLEST, maxChars) - 200;
  let length = 0;
  let kept = 0;
  while (kept < lines.length && length + (lines[kept]?.length ?? 0) + 1 <= room) {
    length += (lines[kept]?.length ?? 0) + 1;
    kept += 1;
  }
  // A single line that is too long by itself is cut inside, between two characters.
  const shown = kept > 0 ? lines.slice(0, kept).join("\n") : toWhole(text.slice(0, room));
  const missing = kept > 0 ? `lines ${kept + 1}-${lines.length} of ${lines.length}` : "the rest of a long line";
  return `${shown}\n[${missing} left out: ask for less with --limit, --section, --budget or a narrower command]`;
}

function toWhole(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
