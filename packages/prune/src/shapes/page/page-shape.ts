// HTML as its reader sees it: sections by their headings, rows of tables under their header; scripts, styles and navigation
// last. It reads well-formed and broken pages in one pass over the text, and builds no tree.
import type { SourceKind } from "../../outline/extensions.ts";
import { namesOf } from "../holds.ts";
import { splitLine } from "../packed/packed-shape.ts";
import { leastRow, Rows } from "../rows.ts";
import { LONG_LINE, type Shape, type ShapeInput } from "../shape.ts";
import { endOfRaw, type Tag, tagAt } from "./tags.ts";

const START =
  /^\ufeff?\s*(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html\b|html\b|head\b|body\b|main\b|article\b|section\b|div\b|table\b|h[1-6]\b)/i;
const PATH = /\.x?html?$/i;
const LOOK_CHARS = 2_000;
const BLOCKS = new Set(
  (
    "html head body main article section div p ul ol li dl dt dd table thead tbody tfoot tr td th caption h1 h2 h3 h4 h5 h6 pre blockquote " +
    "nav header footer aside form fieldset figure details summary title script style link meta br hr template svg noscript select iframe"
  ).split(" "),
);
const RAW = new Set(["script", "style"]);
const IDLE = new Set("script style svg nav footer aside template noscript iframe select head".split(" "));
const VOID = new Set("br hr img input link meta area base col embed source track wbr".split(" "));
const IDLE_WORDS =
  /\b(?:role|class|id)\s*=\s*["']?[^"'>]*\b(?:navigation|nav|navbar|menu|sidebar|breadcrumbs?|footer|cookie|toc|skip-link)\b/i;
const MAY_BE_IDLE = new Set(["div", "ul", "ol", "section", "header", "form"]);
/** How many nested elements are known at a time. */
const MOST_OPEN = 256;
/** How many open elements a closing tag may look back. */
const LOOK_BACK = 64;
const INLINE_ROW = 240;
const NAME_CHARS = 120;
const MOST_UNIT = 24;
const MOST_TABLES = 32;

interface Open {
  readonly name: string;
  readonly row: number;
  readonly isIdle: boolean;
}

interface Section {
  readonly level: number;
  readonly scope: number;
}

/** The shape of a page; undefined for any other text. */
export function pageShape(input: ShapeInput, kind: SourceKind, path: string | undefined): Shape | undefined {
  const { text } = input.table;
  if (kind === "logs" || kind === "matches") return undefined;
  const isNamed = path !== undefined && PATH.test(path) && text.slice(0, LOOK_CHARS).includes("<");
  if (!isNamed && !START.test(text.slice(0, LOOK_CHARS))) return undefined;
  return new PageReader(input).read();
}

class PageReader {
  readonly #input: ShapeInput;
  readonly #text: string;
  readonly #rows: Rows;
  readonly #least: number;
  readonly #open: Open[] = [];
  readonly #sections: Section[] = [];
  /** Pairs of rows. */
  readonly #idle: (readonly [number, number])[] = [];
  readonly #units: (readonly [number, number])[] = [];
  #line = 0;
  #lineEnd = 0;
  #isLong = false;
  #heading: { readonly level: number; readonly scope: number; readonly from: number } | undefined;
  /** Per table that is open: its scope once its first row is there, and where the current row begins. */
  readonly #tables: { scope: number; row: number }[] = [];

  constructor(input: ShapeInput) {
    this.#input = input;
    this.#text = input.table.text;
    this.#rows = new Rows(this.#text);
    this.#least = leastRow(this.#text);
  }

  read(): Shape {
    const text = this.#text;
    this.#rows.begin(0, 0);
    this.#enterLine(0);
    let at = 0;
    for (let turn = 1; at < text.length; turn++) {
      if (turn % 1024 === 0) this.#input.poll();
      const next = text.indexOf("<", at);
      this.#readText(at, next < 0 ? text.length : next);
      if (next < 0) break;
      at = this.#readTag(next);
    }
    const outline = this.#rows.outline(this.#units);
    const table = this.#rows.table();
    const idle = new Uint8Array(table.count);
    for (const [from, to] of this.#idle) idle.fill(1, from, to + 1);
    return {
      name: "page",
      rows: table,
      outline,
      idle,
      isList: false,
      holds: (from, to) => {
        const names = outline.scopes.flatMap(({ kind, start, name }) =>
          kind === "section" && start >= from && start <= to ? [name] : [],
        );
        if (names.length > 0) return namesOf(names);
        return idle.subarray(from, to + 1).every((one) => one === 1) ? "scripts or navigation" : "";
      },
    };
  }

  /** Reads a tag; returns the place behind it. */
  #readTag(at: number): number {
    const tag = tagAt(this.#text, at);
    if (tag === undefined) return at + 1;
    const isBlock = BLOCKS.has(tag.name) || tag.kind === "comment";
    if (tag.kind !== "close" && (isBlock || at - this.#rows.startOf(this.#rows.row) > INLINE_ROW)) this.#breakAt(at);
    let end = tag.end;
    if (tag.kind === "open") {
      this.#openTag(tag, at);
      if (RAW.has(tag.name)) {
        end = endOfRaw(this.#text, tag.name, tag.end);
        this.#readText(tag.end, end);
        this.#closeTag(tag.name, end);
      }
    }
    const firstRow = this.#rows.row;
    this.#passLines(end);
    if (tag.kind === "comment") this.#idle.push([firstRow, this.#rows.row]);
    if (tag.kind === "close") this.#closeTag(tag.name, at);
    if (tag.kind === "close" && isBlock) this.#breakAt(end);
    return end;
  }

  #openTag({ name, end }: Tag, at: number): void {
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    if (level > 0) this.#openSection(level, end);
    if (name === "table" && this.#tables.length < MOST_TABLES) this.#tables.push({ scope: -1, row: -1 });
    const table = this.#tables.at(-1);
    if (name === "tr" && table !== undefined) table.row = this.#rows.row;
    // Of a table without a header nothing comes along: it may be the layout of the page.
    if (name === "th" && table !== undefined && table.scope < 0 && table.row >= 0)
      table.scope = this.#rows.open("", "block", this.#scope());
    if (VOID.has(name) || this.#open.length >= MOST_OPEN) return;
    const isIdle =
      IDLE.has(name) || (MAY_BE_IDLE.has(name) && IDLE_WORDS.test(this.#text.slice(at, Math.min(end, at + 400))));
    this.#open.push({ name, row: this.#rows.row, isIdle });
  }

  #closeTag(name: string, at: number): void {
    if (this.#heading !== undefined && /^h[1-6]$/.test(name)) this.#nameSection(at);
    const table = this.#tables.at(-1);
    if (table !== undefined && name === "tr") this.#endTableRow(table);
    if (table !== undefined && name === "table") {
      this.#tables.pop();
      if (table.scope >= 0) this.#rows.close(table.scope, false);
    }
    const last = this.#open.length - 1;
    let from = last;
    while (from >= 0 && last - from < LOOK_BACK && this.#open[from]?.name !== name) from--;
    if (this.#open[from]?.name !== name) return;
    for (const { isIdle, row } of this.#open.splice(from)) if (isIdle) this.#idle.push([row, this.#rows.row]);
  }

  #endTableRow(table: { readonly scope: number; row: number }): void {
    const { row } = this.#rows;
    if (table.row < 0) return;
    if (row > table.row && row - table.row < MOST_UNIT) this.#units.push([table.row, row]);
    const scope = this.#rows.scopes[table.scope];
    if (scope !== undefined && scope.start >= table.row && scope.start <= row) scope.headerEnd = row;
    table.row = -1;
  }

  #scope(): number {
    const { scope = -1 } = this.#tables.findLast((table) => table.scope >= 0) ?? {};
    return Math.max(scope, this.#sections.at(-1)?.scope ?? 0);
  }

  #openSection(level: number, from: number): void {
    const { row } = this.#rows;
    while ((this.#sections.at(-1)?.level ?? 0) >= level) {
      const ended = this.#rows.scopes[this.#sections.pop()?.scope ?? 0];
      if (ended !== undefined) ended.end = Math.max(ended.start, row - 1);
    }
    const scope = this.#rows.open("", "section", this.#sections.at(-1)?.scope ?? 0);
    this.#sections.push({ level, scope });
    this.#heading = { level, scope, from };
  }

  #nameSection(at: number): void {
    const scope = this.#rows.scopes[this.#heading?.scope ?? 0];
    const from = this.#heading?.from ?? at;
    this.#heading = undefined;
    if (scope === undefined) return;
    const words = this.#text.slice(from, Math.min(at, from + 2 * NAME_CHARS)).replace(/<[^>]*>?/g, " ");
    scope.name = words.replace(/\s+/g, " ").trim().slice(0, NAME_CHARS);
    scope.headerEnd = this.#rows.row;
  }

  /** Text between two tags, which may go over several lines. */
  #readText(from: number, end: number): void {
    if (this.#isLong && end <= this.#lineEnd && end - from > LONG_LINE)
      splitLine(this.#rows, { from, end, scope: this.#scope(), poll: this.#input.poll });
    this.#passLines(end);
  }

  /** Begins a row for each line up to `end`. */
  #passLines(end: number): void {
    while (this.#lineEnd < this.#text.length && this.#lineEnd < end) {
      this.#enterLine(this.#line + 1);
      this.#rows.begin(this.#input.table.starts[this.#line] ?? 0, this.#scope());
      if (this.#isLong && end >= this.#lineEnd) {
        const from = this.#input.table.starts[this.#line] ?? 0;
        splitLine(this.#rows, { from, end: this.#lineEnd, scope: this.#scope(), poll: this.#input.poll });
      }
    }
    // A tag that ends where its line does.
    if (this.#lineEnd === end && end < this.#text.length) {
      this.#enterLine(this.#line + 1);
      this.#rows.begin(end, this.#scope());
    }
  }

  #enterLine(line: number): void {
    const { table, insideLines } = this.#input;
    this.#line = line;
    this.#lineEnd = table.starts[line + 1] ?? this.#text.length;
    this.#isLong = insideLines && this.#lineEnd - (table.starts[line] ?? 0) > LONG_LINE;
  }

  #breakAt(at: number): void {
    if (!this.#isLong || at >= this.#lineEnd - 1) return;
    if (at - this.#rows.startOf(this.#rows.row) >= Math.max(1, this.#least)) this.#rows.begin(at, this.#scope());
  }
}
