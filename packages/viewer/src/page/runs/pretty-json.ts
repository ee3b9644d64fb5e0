// A log record for people to read: escaped line ends in its texts become real ones.

/** Beyond this length, as deeply nested JSON reaches it, the indented text would be mostly blanks. */
const MAX_CHARS = 1_000_000;

/** Indents JSON. Returns the text unchanged where it is not JSON, or would become too long. */
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
