// How many columns a terminal gives a text. Counted by what a reader sees as one character: a family of four joined
// emoji takes two columns, a letter with its accent one.
const PLAIN = /^[ -~]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Columns of a text without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfOne(segment);
  return width;
}

/** At most so many columns; a text that is cut ends with "…". */
export function cutToWidth(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let width = 0;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfOne(segment);
    if (width > room - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Filled with spaces up to so many columns. */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

function widthOfOne(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
