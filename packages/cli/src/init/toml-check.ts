// Whether a TOML file is sound enough to be added to: every line is a table, a key with a value, a comment, or inside a
// value that goes on. It is no parser: it finds what an interrupted edit leaves behind, and says in which line.
import { SetupError } from "./setup-error.ts";

const TABLE = /^\[\[?\s*[^[\]]+\s*\]\]?\s*(?:#.*)?$/;
const KEY = /^(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*\s*=\s*(.*)$/s;

export function checkToml(path: string, text: string): void {
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim();
    if (line === "" || line.startsWith("#") || TABLE.test(line)) continue;
    const first = index;
    let value = KEY.exec(line)?.[1];
    if (value === undefined || value === "") throw broken(path, first, line);
    for (let open = isOpen(value); open !== false; open = isOpen(value)) {
      if (open === "broken" || ++index >= lines.length) throw broken(path, first, line);
      value += `\n${lines[index] ?? ""}`;
    }
  }
}

/** Whether a value goes on in the next line; "broken" where it cannot. */
function isOpen(value: string): boolean | "broken" {
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const quote = /^(?:"""|'''|"|')/.exec(value.slice(at, at + 3))?.[0];
    if (quote !== undefined) {
      const end = endOfString(value, at + quote.length, quote);
      if (end === undefined) return quote.length === 3 ? true : "broken";
      at = end;
    } else if (value[at] === "#") at = (value.indexOf("\n", at) + 1 || value.length + 1) - 1;
    else if (value[at] === "[" || value[at] === "{") depth++;
    else if (value[at] === "]" || value[at] === "}") depth--;
    if (depth < 0) return "broken";
  }
  return depth > 0;
}

function endOfString(value: string, from: number, quote: string): number | undefined {
  for (let at = from; at < value.length; at++) {
    if (quote.startsWith('"') && value[at] === "\\") at++;
    else if (quote.length === 1 && value[at] === "\n") return undefined;
    else if (value.startsWith(quote, at)) return at + quote.length - 1;
  }
  return undefined;
}

function broken(path: string, index: number, line: string): SetupError {
  return new SetupError(`${path} is not valid TOML: line ${index + 1}: ${line.slice(0, 80)}`, "it was left untouched");
}
