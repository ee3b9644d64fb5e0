// JSON as some clients read it: with comments, and commas after the last item of a list. One pass over the text: settings
// are other people's files, and no expression over them may take longer than they are long.

/** The value, or undefined where the text is not even that. */
export function parseJsonc(content: string): unknown {
  const text = content.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text.trim() || "{}");
  } catch {
    // Perhaps it has comments.
  }
  try {
    return JSON.parse(toPlainJson(text).trim() || "{}");
  } catch {
    return undefined;
  }
}

function toPlainJson(text: string): string {
  const parts: string[] = [];
  let comma = -1; // the part that is a comma, as long as nothing but blanks came after it
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (/^\/[/*]/.test(token)) continue;
    if (comma >= 0 && (token === "}" || token === "]")) parts[comma] = "";
    if (token === ",") comma = parts.length;
    else if (token.trim() !== "") comma = -1;
    parts.push(token);
  }
  return parts.join("");
}

/** A string, a comment, a run of blanks, a run of other characters, or one of `,` `}` `]`. */
function endOfToken(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return endOfString(text, at);
  if (first === "/" && text[at + 1] === "/") return orEnd(text, text.indexOf("\n", at));
  if (first === "/" && text[at + 1] === "*") {
    const close = text.indexOf("*/", at + 2);
    return close < 0 ? text.length : close + 2;
  }
  if (first === "," || first === "}" || first === "]" || first === "/") return at + 1;
  const run = /\s/.test(first ?? "") ? /\s+/y : /[^\s",}\]/]+/y;
  run.lastIndex = at;
  return at + (run.exec(text)?.[0].length ?? 1);
}

function endOfString(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function orEnd(text: string, index: number): number {
  return index < 0 ? text.length : index;
}
