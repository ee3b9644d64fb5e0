// Data of any size, made small enough for one line of a log. What was cut is marked with its size.

const MAX_TEXT_CHARS = 16_384;
const MAX_JSON_CHARS = 65_536;

/** Cuts each field by itself, so that a large one does not shorten the others. Undefined fields are left out. */
export function toBoundedFields(fields: object): Record<string, unknown> {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, toBounded(value)]));
}

/** Every long text in `value` is cut; where that is not enough, the head of its JSON stands for the whole. */
function toBounded(value: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, (_key, each: unknown) => (typeof each === "string" ? cutText(each) : each));
  } catch {
    return { unserializable: true };
  }
  if (json === undefined) return null;
  // A text has been cut already, however long its escapes make it.
  if (json.length > MAX_JSON_CHARS && typeof value !== "string")
    return { cut: true, chars: json.length, head: cutText(json, MAX_TEXT_CHARS) };
  return JSON.parse(json);
}

function cutText(text: string, maxChars = MAX_TEXT_CHARS): string {
  if (text.length <= maxChars) return text;
  // Never between the halves of one character.
  const end = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}… [${text.length - end} more characters]`;
}
