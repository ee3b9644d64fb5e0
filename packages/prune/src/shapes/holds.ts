// The names in a marker of what it stands for, on one line. They are data of the text, so nothing in them may end the marker
// or the line.
const MOST_CHARS = 64;
const MOST_NAMES = 6;
const NAME_CHARS = 28;
/** Control characters, line ends of any kind, marks that turn text around, and the marker's own brackets. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}⟦⟧]/gu;

/** The first few different names, safe to print: `a, b, c, 12 more`; "" for none. */
export function namesOf(names: Iterable<string>): string {
  const shown: string[] = [];
  const known = new Set<string>();
  let chars = 0;
  let more = 0;
  for (const name of names) {
    const clean = name.replace(UNSAFE, "").replace(/\s+/g, " ").trim().slice(0, NAME_CHARS);
    if (clean === "" || known.has(clean)) continue;
    known.add(clean);
    if (more === 0 && shown.length < MOST_NAMES && chars + clean.length <= MOST_CHARS) {
      shown.push(clean);
      chars += clean.length + 2;
    } else more++;
  }
  if (shown.length === 0) return "";
  return more > 0 ? `${shown.join(", ")}, ${more} more` : shown.join(", ");
}

/** A number that stands for a short text. */
export function hashOf(text: string): number {
  let value = text.length;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 0x01000193) ^ text.charCodeAt(i)) | 0;
  return value;
}
