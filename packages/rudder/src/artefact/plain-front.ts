// Front matter of the plainest form, read without a YAML parser: 5,000 files are parsed when a haven is first looked
// at. It gives fields only where every YAML parser gives the same (a property test compares the two); any other line
// sends the whole text to the parser.

/** No indicator at its start, no `: `, no ` #`, nothing but ASCII. */
const WORD = /^[A-Za-z0-9](?:(?:[A-Za-z0-9 ._/()+'&-]|:(?=[A-Za-z0-9]))*[A-Za-z0-9._/()+'&-])?$/;
const LINE = /^([A-Za-z_][A-Za-z0-9_]*):(?: (.*))?$/;

/** The fields; undefined where only a parser can tell. */
export function readPlainFront(front: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {};
  for (const line of front.split("\n")) {
    if (line === "") continue;
    const found = LINE.exec(line);
    const key = found?.[1] ?? "";
    if (key === "" || key === "__proto__" || Object.hasOwn(fields, key)) return undefined;
    const value = readValue(found?.[2] ?? "");
    if (value === undefined) return undefined;
    fields[key] = value;
  }
  return fields;
}

function readValue(text: string): unknown {
  if (text === "" || WORD.test(text)) return text;
  if (text === "[]") return [];
  if (text === "{}") return {};
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined;
  const items = text
    .slice(1, -1)
    .split(",")
    .map((item) => item.trim());
  return items.every((item) => WORD.test(item)) ? items : undefined;
}
