// A log record for people to read: escaped line ends in its texts become real ones.

/** Deeper nesting would give more blanks than text. */
const MAX_CHARS = 1_000_000;

/** What is no JSON is shown as it stands. */
export function prettyJson(json: string): string {
  try {
    const text = JSON.stringify(JSON.parse(json), null, 2);
    if (text.length > MAX_CHARS) return json;
    // A backslash that is itself escaped is no part of a line end: "C:\\new".
    return text.replace(/\\(.)/g, (escaped, what) => (what === "n" ? "\n      " : escaped));
  } catch {
    return json;
  }
}
