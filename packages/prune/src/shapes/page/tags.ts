// Reads one tag of HTML, wherever it ends. Attributes may hold ">" in quotes; anything that is not a tag is text.

/** A tag of HTML. */
export interface Tag {
  readonly kind: "open" | "close" | "comment";
  /** The name in lower case; "" for a comment. */
  readonly name: string;
  /** The place behind it. */
  readonly end: number;
}

const NAME = /[a-z][a-z0-9-]{0,30}/iy;
/** A longer tag is broken or holds a picture. */
const MOST_CHARS = 20_000;

/** The tag that begins at `at`; undefined where "<" is text. */
export function tagAt(text: string, at: number): Tag | undefined {
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4);
    return { kind: "comment", name: "", end: end < 0 ? text.length : end + 3 };
  }
  const isClose = text.charCodeAt(at + 1) === 47;
  const isDeclaration = text.charCodeAt(at + 1) === 33 || text.charCodeAt(at + 1) === 63;
  NAME.lastIndex = at + (isClose || isDeclaration ? 2 : 1);
  const name = NAME.exec(text)?.[0].toLowerCase();
  if (name === undefined) return undefined;
  const end = endOfTag(text, NAME.lastIndex);
  if (isDeclaration) return { kind: "open", name: "meta", end };
  return { kind: isClose ? "close" : "open", name, end };
}

function endOfTag(text: string, from: number): number {
  const most = Math.min(text.length, from + MOST_CHARS);
  let quote = 0;
  for (let at = from; at < most; at++) {
    const c = text.charCodeAt(at);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === 62) return at + 1;
    else if ((c === 34 || c === 39) && text.charCodeAt(at - 1) === 61) quote = c;
    // The next tag begins: this one was never closed.
    else if (c === 60) return at;
  }
  const end = text.indexOf(">", from);
  return end < 0 ? text.length : end + 1;
}

/** Where the text of a script or a style ends: at its own closing tag, whatever other tags it holds. */
export function endOfRaw(text: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b`, "gi");
  close.lastIndex = from;
  return close.exec(text)?.index ?? text.length;
}
