// JSON and JSONC as text: parsed with positions, and one key or list item changed, added or taken out in place. Comments,
// indentation, line ends and the order of keys around it stay byte for byte.
import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
  visit,
} from "jsonc-parser";
import { SetupError } from "../setup-error.ts";

/** Where a value stands: keys of objects and indexes of lists, from the top. */
export type JsonPath = readonly (string | number)[];

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Throws SetupError with line and column where the text is not JSON, comments and trailing commas aside. */
export function parseJsonTree(path: string, text: string): Node {
  const errors: ParseError[] = [];
  const tree = treeOf(path, text, errors);
  const [first] = errors;
  if (first === undefined && tree !== undefined) return tree;
  const words = printParseErrorCode(first?.error ?? 4).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const before = text.slice(0, first?.offset ?? 0).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  throw new SetupError(`${path} is not valid JSON: ${words} in ${place}`, "it was left untouched");
}

function treeOf(path: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new SetupError(`${path} is nested too deeply`, "it was left untouched");
  }
}

/** What strict JSON does not know, and the line of the first of it; undefined where there is none. */
export function looseJsonIn(
  content: string,
  { allowsComments }: { readonly allowsComments: boolean },
): { readonly what: string; readonly line: number } | undefined {
  const bare = content.replace(/^\uFEFF/, "");
  const text = allowsComments ? stripComments(bare, " ") : bare;
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const found: { what: string; line: number }[] = [];
    visit(text, {
      onComment: (_offset, _length, line) => void found.push({ what: "a comment", line: line + 1 }),
      onError: (_error, _offset, _length, line) => void found.push({ what: "a trailing comma", line: line + 1 }),
    });
    return found.sort((one, other) => one.line - other.line)[0] ?? { what: "no valid JSON", line: 1 };
  }
}

/** The text with another value in the place of the one at `path`. */
export function withValue(text: string, root: Node, path: JsonPath, value: unknown): string {
  const node = nodeAt(root, path);
  const rendered = render(text, value, indentAt(text, node.offset));
  return text.slice(0, node.offset) + rendered + text.slice(endOf(node));
}

/** The text with one more item at the end of the object or list at `path`; `key`: its name in an object. */
export function withItem(
  text: string,
  root: Node,
  path: JsonPath,
  { key, value }: { readonly key?: string; readonly value: unknown },
): string {
  const container = nodeAt(root, path);
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  const inner =
    last !== undefined && isFirstInLine(text, last) ? indentAt(text, last.offset) : outer + unitOf(text, root);
  const from = last === undefined ? container.offset + 1 : endOf(last);
  const close = endOf(container) - 1;
  const { comma, place } = gapBehind(text, { from, to: close, isEmpty: last === undefined });
  const eol = eolOf(text);
  const rest = text.slice(place, close);
  const isClosedInLine = !rest.includes("\n");
  return [
    text.slice(0, from),
    last === undefined || comma ? "" : ",",
    text.slice(from, place),
    `${eol}${inner}${key === undefined ? "" : `${JSON.stringify(key)}: `}${render(text, value, inner, unitOf(text, root))}`,
    comma ? "," : "",
    isClosedInLine ? `${rest.trimEnd()}${eol}${outer}` : rest,
    text.slice(close),
  ].join("");
}

/** The text without the value at `path`, with its key and one comma. A line that this leaves blank goes as well. */
export function withoutItem(text: string, root: Node, path: JsonPath): string {
  const container = nodeAt(root, path.slice(0, -1));
  const children = container.children ?? [];
  const index = indexIn(container, path.at(-1) ?? "");
  const [previous, node, next] = [children[index - 1], children[index], children[index + 1]];
  if (node === undefined) return text;
  const close = endOf(container) - 1;
  const comma = commaBetween(text, endOf(node), next?.offset ?? close);
  const cuts: [number, number][] = [lineOf(text, node.offset, comma === endOf(node) ? comma + 1 : endOf(node))];
  if (comma !== undefined && comma !== endOf(node)) cuts.unshift([comma, comma + 1]);
  const before = comma === undefined && previous ? commaBetween(text, endOf(previous), node.offset) : undefined;
  if (before !== undefined) cuts.push([before, before + 1]);
  const shorter = cuts.reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
  if (children.length > 1) return shorter;
  const [open, end] = [container.offset + 1, close - (text.length - shorter.length)];
  return shorter.slice(open, end).trim() === "" ? shorter.slice(0, open) + shorter.slice(end) : shorter;
}

/** Whether there is a comment inside the value at `path`, or anywhere where no path is given. */
export function hasComment(text: string, node?: Node): boolean {
  const [from, to] = node === undefined ? [0, text.length] : [node.offset, endOf(node)];
  return tokensBetween(text, from, to).some(isComment);
}

/** The node at a path. Of a key that is there twice the last one counts, as it does for JSON.parse. */
export function nodeAt(root: Node, path: JsonPath): Node {
  let node = root;
  for (const step of path) {
    const child = node.children?.[indexIn(node, step)];
    const value = child?.type === "property" ? child.children?.[1] : child;
    if (value === undefined) throw new Error(`no ${path.join(".")} in the settings`);
    node = value;
  }
  return node;
}

function indexIn(container: Node, step: string | number): number {
  if (typeof step === "number") return step;
  return (container.children ?? []).findLastIndex((child) => child.children?.[0]?.value === step);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Whether a comma follows, and where a new item goes: behind the comments that end the line of the last one. */
function gapBehind(
  text: string,
  { from, to, isEmpty }: { readonly from: number; readonly to: number; readonly isEmpty: boolean },
): { readonly comma: boolean; readonly place: number } {
  let comma = false;
  let place = from;
  let isSameLine = true;
  for (const token of tokensBetween(text, from, to)) {
    if (token.text === ",") comma = true;
    else if (!isComment(token)) {
      isSameLine &&= !token.text.includes("\n");
      continue;
    }
    if (token.text === "," || isSameLine || isEmpty) place = token.end;
  }
  return { comma, place };
}

function commaBetween(text: string, from: number, to: number): number | undefined {
  return tokensBetween(text, from, to).find((token) => token.text === ",")?.start;
}

function tokensBetween(text: string, from: number, to: number): Token[] {
  const scanner = createScanner(text.slice(from, to));
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = from + scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    tokens.push({ text: text.slice(start, end), start, end });
  }
  return tokens;
}

function isComment({ text }: Token): boolean {
  return text.startsWith("//") || text.startsWith("/*");
}

/** The range with the whole of its lines where nothing else is in them, else with the blanks on one side. */
function lineOf(text: string, from: number, to: number): [number, number] {
  const start = from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0);
  const end = to + (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0);
  const isFirst = start === 0 || text[start - 1] === "\n";
  const lineEnd = /^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  if (isFirst) return lineEnd > 0 ? [start, end + lineEnd] : [from, end];
  // What stands before it ends the line, or is followed by what came behind.
  return lineEnd > 0 || /[\]}]/.test(text[end] ?? "") ? [start, to] : [from, end];
}

function isFirstInLine(text: string, { offset }: Node): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}

/** The blanks at the start of the line of a position. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

function unitOf(text: string, root: Node): string {
  const first = root.children?.find((child) => isFirstInLine(text, child) && indentAt(text, child.offset) !== "");
  return first === undefined ? "  " : indentAt(text, first.offset);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function render(text: string, value: unknown, indent: string, unit = "  "): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${eolOf(text)}${indent}`);
}
