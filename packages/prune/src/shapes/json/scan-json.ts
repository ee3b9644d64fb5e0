// JSON as rows: a member or an item per row, as if it were printed with indentation, over the text as it is. It reads what
// programs print: one line or many, cut off at the end, with comments. No value is parsed, nothing recurses, and texts that
// are not JSON are refused.
import { leastRow, MOST_DEPTH, Rows } from "../rows.ts";
import { LONG_LINE, type ShapeInput } from "../shape.ts";
import { ItemCollector, type Items, type Place, pathUnder } from "./json-items.ts";
import { endOfComment, endOfPart, endOfString, endOfWord, isValue } from "./json-tokens.ts";

/** An object or a list that is shorter is one row. */
const COMPACT = 72;
/** So many characters of small values in a list share a row. */
const PACKED = 60;
/** A longer string is several rows. */
const LONG_STRING = 400;
/** Values that stand one after the other: more of them on single lines are records of a log. */
const LEAST_SHARE = 0.5;
const MAX_NAME = 60;

interface JsonRows {
  readonly rows: Rows;
  /** Per scope, whether it is a list. */
  readonly isList: readonly boolean[];
  readonly items: Items;
}

interface Frame extends Place {
  readonly isObject: boolean;
  readonly row: number;
  readonly from: number;
  readonly scope: number;
  readonly scopesBefore: number;
  readonly parent: number;
  readonly itemsBefore: number;
  key: string;
}

/** The rows of JSON; undefined for any other text. */
export function scanJson(input: ShapeInput): JsonRows | undefined {
  const scanner = new Scanner(input);
  return scanner.scan() ? scanner : undefined;
}

class Scanner implements JsonRows {
  readonly rows: Rows;
  readonly isList: boolean[] = [];
  readonly items = new ItemCollector();
  readonly #input: ShapeInput;
  readonly #text: string;
  readonly #least: number;
  readonly #frames: Frame[] = [];
  /** Objects and lists that are deeper than scopes go: 1 for an object. */
  #deep = new Uint8Array(64);
  #deepCount = 0;
  #at = 0;
  #line = 0;
  #lineStart = 0;
  #lineEnd = 0;
  #isLong = false;
  /** What may come next: a value, a key, or what follows a value. */
  #wants: "value" | "key" | "next" = "value";
  #mayClose = false;
  /** The value before ended a scope: the next one begins a row. */
  #closedScope = false;
  #values = 0;
  /** Of them, how many are on one line. */
  #onOneLine = 0;
  #valueLine = 0;

  constructor(input: ShapeInput) {
    this.#input = input;
    this.#text = input.table.text;
    this.rows = new Rows(this.#text);
    this.#least = leastRow(this.#text);
  }

  /** Reads the text; false where it is not JSON. */
  scan(): boolean {
    const text = this.#text;
    this.#enterLine(0);
    this.rows.begin(0, 0);
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    for (let turn = 1; this.#at < text.length; turn++) {
      if ((turn & 0xfff) === 0) this.#input.poll();
      const read = this.#readNext(text.charCodeAt(this.#at));
      if (read === "refused") return false;
      if (read === "cut") break;
    }
    if (this.#values === 0 && this.#frames.length === 0) return false;
    // Records on lines of their own are a log, or a list of findings.
    return this.#values <= 1 || this.#onOneLine <= this.#values * LEAST_SHARE;
  }

  #readNext(c: number): "ok" | "refused" | "cut" {
    if (c === 32 || c === 9 || c === 13) {
      this.#at++;
      return "ok";
    }
    if (c === 10) {
      this.#at++;
      this.#enterLine(this.#line + 1);
      if (this.#at < this.#text.length) this.rows.begin(this.#at, this.#scope());
      return "ok";
    }
    if (c === 123 || c === 91) return this.#readOpen(c === 123);
    if (c === 125 || c === 93) return this.#readClose(c === 125);
    if (c === 44) return this.#readComma();
    if (c === 47) {
      // A comment over several lines would hide their ends.
      const end = endOfComment(this.#text, this.#at, this.#lineEnd);
      if (end === undefined) return "refused";
      this.#at = end;
      return "ok";
    }
    // Of a lone word nothing is known.
    if (this.#isOutside() || this.#wants === "next") return "refused";
    this.#mayClose = false;
    return c === 34 ? this.#readString() : this.#readWord();
  }

  #readOpen(isObject: boolean): "ok" | "refused" {
    if (this.#isOutside()) this.#valueLine = this.#line;
    else if (this.#wants !== "value") return "refused";
    if (this.#frames.length >= MOST_DEPTH || this.#deepCount > 0) this.#openDeep(isObject);
    else this.#open(isObject);
    this.#wants = isObject ? "key" : "value";
    this.#mayClose = true;
    this.#at++;
    this.#breakHere();
    return "ok";
  }

  #readClose(isObject: boolean): "ok" | "refused" {
    const isEnd = this.#wants === "next" || this.#mayClose;
    if (this.#isOutside() || !isEnd || this.#isInObject() !== isObject) return "refused";
    if (this.#deepCount > 0) this.#deepCount--;
    else this.#close();
    this.#at++;
    this.#mayClose = false;
    this.#endValue();
    return "ok";
  }

  #readComma(): "ok" | "refused" {
    if (this.#wants !== "next" || this.#isOutside()) return "refused";
    const isInObject = this.#isInObject();
    this.#wants = isInObject ? "key" : "value";
    this.#mayClose = true; // a comma behind the last one
    this.#at++;
    const isSmall = !isInObject && !this.#closedScope && this.#at - this.rows.startOf(this.rows.row) < PACKED;
    if (!isSmall) this.#breakHere();
    this.#closedScope = false;
    return "ok";
  }

  #readString(): "ok" | "refused" | "cut" {
    const text = this.#text;
    const from = this.#at;
    const end = endOfString(text, from);
    // Cut off in the middle of a string; one that goes over a line end is none.
    if (end === undefined) return this.#line >= this.#input.table.count - 1 ? "cut" : "refused";
    if (end > this.#lineEnd) return "refused";
    this.#at = end;
    if (this.#wants === "key") {
      const frame = this.#frames.at(-1);
      if (this.#deepCount === 0 && frame !== undefined)
        frame.key = text.slice(from + 1, Math.min(end - 1, from + 1 + MAX_NAME));
      while (text.charCodeAt(this.#at) === 32 || text.charCodeAt(this.#at) === 9) this.#at++;
      if (this.#at < text.length && text.charCodeAt(this.#at) !== 58) return "refused";
      this.#at++;
      this.#wants = "value";
      return "ok";
    }
    this.#note(from, end);
    if (this.#isLong && this.#deepCount === 0 && end - from > Math.max(LONG_STRING, this.#least))
      this.#splitString(from, end);
    this.#endValue();
    return "ok";
  }

  #readWord(): "ok" | "refused" {
    const from = this.#at;
    const end = endOfWord(this.#text, from);
    // The last word may be cut off.
    const isRead = end > from && (end === this.#text.length || isValue(this.#text, from, end));
    if (this.#wants !== "value" || !isRead) return "refused";
    this.#note(from, end);
    this.#at = end;
    this.#endValue();
    return "ok";
  }

  #endValue(): void {
    this.#wants = "next";
    if (!this.#isOutside()) return;
    this.#values++;
    if (this.#valueLine === this.#line) this.#onOneLine++;
  }

  #isOutside(): boolean {
    return this.#frames.length === 0 && this.#deepCount === 0;
  }

  #isInObject(): boolean {
    return this.#deepCount > 0 ? this.#deep[this.#deepCount - 1] === 1 : this.#frames.at(-1)?.isObject === true;
  }

  #scope(): number {
    return this.#frames.at(-1)?.scope ?? 0;
  }

  #enterLine(line: number): void {
    const { table, insideLines } = this.#input;
    this.#line = line;
    this.#lineStart = table.starts[line] ?? this.#text.length;
    this.#lineEnd = table.starts[line + 1] ?? this.#text.length;
    this.#isLong = insideLines && this.#lineEnd - this.#lineStart > LONG_LINE;
  }

  /** Begins a row here, where lines may be cut inside. */
  #breakHere(): void {
    const isWanted = this.#isLong && this.#deepCount === 0 && this.#at < this.#lineEnd - 1;
    if (isWanted && this.#at - this.rows.startOf(this.rows.row) >= this.#least)
      this.rows.begin(this.#at, this.#scope());
  }

  #openDeep(isObject: boolean): void {
    if (this.#deepCount === this.#deep.length) {
      const grown = new Uint8Array(2 * this.#deepCount);
      grown.set(this.#deep);
      this.#deep = grown;
    }
    this.#deep[this.#deepCount++] = isObject ? 1 : 0;
  }

  #open(isObject: boolean): void {
    const { rows } = this;
    const around = this.#frames.at(-1);
    const parent = around?.scope ?? 0;
    // A line that closes one and opens the next, `}, {`, belongs to the next.
    rows.release(rows.row);
    const name = around?.isObject === true ? around.key : "";
    const kind = this.#frames.length <= 2 && name !== "" ? "section" : "block";
    const scopesBefore = rows.scopes.length;
    const scope = rows.open(name, kind, parent);
    this.isList[scope] = !isObject;
    const item = around?.isObject === false ? this.items.add(rows.row, parent) : (around?.item ?? -1);
    const path = isObject && around?.isObject === true ? pathUnder(around.path, name) : 0;
    const itemsBefore = this.items.row.length;
    const from = this.#at;
    this.#frames.push({ isObject, row: rows.row, from, scope, scopesBefore, parent, item, itemsBefore, path, key: "" });
  }

  #close(): void {
    const { rows } = this;
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const isSmall = this.#at + 1 - frame.from <= Math.max(COMPACT, this.#least);
    if (rows.row === frame.row || (isSmall && this.#isLong && rows.startOf(frame.row) >= this.#lineStart)) {
      rows.foldInto(frame.row, frame.scopesBefore, frame.parent);
      this.items.forgetFrom(frame.itemsBefore);
      return;
    }
    this.#closedScope = true;
    const start = rows.startOf(rows.row);
    if (this.#isLong && this.#at > start && this.#at - start >= this.#least) rows.begin(this.#at, frame.scope);
    // Of a row that holds values, too, it is no more than the end.
    const isCloser = /^[\s\]}]*$/.test(this.#text.slice(rows.startOf(rows.row), this.#at));
    rows.close(frame.scope, isCloser);
    rows.putInto(frame.scope);
  }

  #note(from: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (this.#deepCount === 0 && frame?.isObject === true) this.items.addMember(frame, this.#text, from, end);
  }

  /** A long string is a scope of its own: its first row has the key, and what stays of it brings that along. */
  #splitString(from: number, end: number): void {
    const { rows } = this;
    const start = rows.row;
    const before = rows.scopes.length;
    const frame = this.#frames.at(-1);
    const parent = this.#scope();
    const scope = rows.open(frame?.isObject === true ? frame.key : "", "block", parent);
    this.isList[scope] = false;
    for (let next = from; ; ) {
      next = endOfPart(this.#text, next, end, this.#least);
      if (next >= end - 2) break;
      rows.begin(next, scope);
    }
    if (rows.row === start) rows.foldInto(start, before, parent);
    else rows.close(scope, false);
  }
}
