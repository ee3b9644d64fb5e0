// The lines of a Markdown body, each with what it is: text, code, HTML, or a heading's line. A small part of CommonMark's
// block structure, enough to tell a section or a box from what only looks like one: fences, indented code, HTML blocks
// and comments, list items, ATX and Setext headings. It parses no inline text and changes nothing.

/** One line of a body, by offsets; `end` is behind its line end. */
export interface MarkdownLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: "text" | "code" | "html";
}

/** A heading that opens a section: one that stands in no list item and no quote. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  /** Offsets of the heading's lines, their end included. */
  readonly start: number;
  readonly end: number;
  /** Underlined with `===` or `---`; it may have more than one line. */
  readonly isSetext: boolean;
}

/** What a body consists of, line by line, and the headings among them. */
interface MarkdownOutline {
  readonly lines: readonly MarkdownLine[];
  readonly headings: readonly Heading[];
}

const ATX = /^(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?$/;
const SETEXT = /^(?:=+|-+)$/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^([-*+]|\d{1,9}[.)])([ \t]+|$)/;
const QUOTE = /^>[ \t]*(.*)$/;
const BLOCK_TAGS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
/** How an HTML block begins, and what ends it; undefined: a blank line. */
const HTML: readonly (readonly [RegExp, RegExp | undefined])[] = [
  [/^<!--/, /-->/],
  [/^<(?:script|pre|style|textarea)(?=[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [new RegExp(`^</?(?:${BLOCK_TAGS})(?=[ \\t>]|/>|$)`, "i"), undefined],
];
/** Any other tag alone on its line; it cannot interrupt a paragraph. */
const LONE_TAG = /^<\/?[a-z][a-z0-9-]*(?:[ \t][^<>]*)?\/?>$/i;
const TAB = 4;

/** A fence or an HTML block that is still open. */
interface OpenBlock {
  readonly kind: "code" | "html";
  /** The list items that it stands in, by the column of their content. */
  readonly column: number;
  isClosedBy(rest: string): boolean;
}

/** Reads a body once, from its first line to its last. */
export function outlineOf(body: string): MarkdownOutline {
  const lines: MarkdownLine[] = [];
  const headings: Heading[] = [];
  /** The columns at which the content of the open list items begins. */
  const items: number[] = [];
  let block: OpenBlock | undefined;
  /** Where the paragraph began that the next line may continue or underline; -1: there is none. */
  let paragraph = -1;
  /** A line of text stands right above, in whatever container. */
  let isTextAbove = false;
  let isItemEmpty = false;

  const read = (text: string, at: { readonly start: number; readonly end: number }): MarkdownLine["kind"] => {
    const isBlank = text === "";
    const { column, rest } = indentOf(text);
    if (block !== undefined && !isBlank && column < block.column) block = undefined; // its list item has ended
    if (block !== undefined) {
      const { kind } = block;
      const closer = column - block.column < TAB ? rest : ""; // of a fence; further to the right it is code
      if (block.isClosedBy(kind === "code" ? closer : text)) block = undefined;
      return kind;
    }
    if (isBlank) {
      if (isItemEmpty) items.pop(); // an item that begins with an empty line ends with it
      isItemEmpty = false;
      paragraph = -1;
      isTextAbove = false;
      return "text";
    }
    isItemEmpty = false;
    if (column < (items.at(-1) ?? 0) && isTextAbove && isPlain(rest)) return "text"; // the item's text goes on
    while (column < (items.at(-1) ?? 0)) items.pop();
    const own = column - (items.at(-1) ?? 0);
    if (own >= TAB && !isTextAbove) return "code";
    if (own >= TAB) return "text"; // a paragraph goes on, however far to the right

    const isTop = items.length === 0;
    if (isTop && paragraph >= 0 && SETEXT.test(rest)) {
      const title = body
        .slice(paragraph, at.start)
        .split("\n")
        .map((line) => line.trim());
      const level = rest.startsWith("=") ? 1 : 2;
      headings.push({ level, title: title.join(" ").trim(), start: paragraph, end: at.end, isSetext: true });
      paragraph = -1;
      isTextAbove = false;
      return "text";
    }
    const inner = RULE.test(rest) ? rest : enterItems(items, { column, rest });
    const isText = inner === rest;
    block = openingOf(inner, { column: items.at(-1) ?? 0, isTextAbove: isText && isTextAbove });
    const atx = ATX.exec(inner);
    if (block !== undefined || atx !== null || RULE.test(inner)) {
      if (atx !== null && isTop && isText) {
        headings.push({ level: atx[1]?.length ?? 1, title: (atx[2] ?? "").trim(), ...at, isSetext: false });
      }
      paragraph = -1;
      isTextAbove = false;
      return block === undefined ? "text" : closeAtOnce(block, inner);
    }
    isItemEmpty = !isText && inner === "";
    const quoted = QUOTE.exec(inner);
    if (!isTop || !isText || quoted !== null) paragraph = -1;
    else if (!isTextAbove) paragraph = at.start;
    isTextAbove = inner !== "" && (quoted === null || isPlain(quoted[1] ?? ""));
    return "text";
  };
  /** A comment or a tag may end on the line that it begins on. */
  const closeAtOnce = (opened: OpenBlock, inner: string): OpenBlock["kind"] => {
    if (opened.kind === "html" && opened.isClosedBy(inner)) block = undefined;
    return opened.kind;
  };

  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf("\n", start);
    const end = newline < 0 ? body.length : newline + 1;
    const text = body.slice(start, end).trimEnd();
    lines.push({ start, end, text, kind: read(text, { start, end }) });
    start = end;
  }
  return { lines, headings };
}

/** Takes the markers of list items off, `- 1. text`; what is left is their content. */
function enterItems(items: number[], line: { readonly column: number; readonly rest: string }): string {
  let { column, rest } = line;
  for (;;) {
    const marker = ITEM.exec(rest);
    if (marker === null) return rest;
    const [whole, sign = "", gap = ""] = marker;
    const width = widthOf(gap, column + sign.length);
    // Five and more columns are an item that begins with indented code; one column belongs to the marker.
    const isCode = width > TAB;
    column += sign.length + (isCode || gap === "" ? 1 : width);
    items.push(column);
    rest = rest.slice(whole.length);
    if (isCode || RULE.test(rest)) return rest;
  }
}

/** Text that begins no block of its own. */
function isPlain(rest: string): boolean {
  return rest !== "" && ![ATX, RULE, FENCE, ITEM, QUOTE].some((form) => form.test(rest)) && !opensHtml(rest);
}

function opensHtml(rest: string): boolean {
  return HTML.some(([opens]) => opens.test(rest));
}

function openingOf(
  rest: string,
  where: { readonly column: number; readonly isTextAbove: boolean },
): OpenBlock | undefined {
  const fence = FENCE.exec(rest)?.[1];
  if (fence !== undefined) {
    const sign = fence[0] ?? "";
    const isClosedBy = (line: string): boolean =>
      line.length >= fence.length && line === sign.repeat(line.length) && line !== "";
    return { kind: "code", column: where.column, isClosedBy };
  }
  for (const [opens, closes] of HTML) {
    if (!opens.test(rest)) continue;
    return {
      kind: "html",
      column: where.column,
      isClosedBy: (line) => (closes === undefined ? line === "" : closes.test(line)),
    };
  }
  if (!where.isTextAbove && LONE_TAG.test(rest)) {
    return { kind: "html", column: where.column, isClosedBy: (line) => line === "" };
  }
  return undefined;
}

function indentOf(line: string): { readonly column: number; readonly rest: string } {
  const space = /^[ \t]*/.exec(line)?.[0] ?? "";
  return { column: widthOf(space, 0), rest: line.slice(space.length) };
}

/** Columns of a run of spaces and tabs that begins at `from`. */
function widthOf(space: string, from: number): number {
  let column = from;
  for (const sign of space) column += sign === "\t" ? TAB - (column % TAB) : 1;
  return column - from;
}
