// Finds lines of code whose indentation means nothing, for code without a grammar: comments, doc strings, the inside of
// strings over several lines, a preprocessor's directives. By the marks that most languages share.
import { type LineTable, lineHead } from "../text/lines.ts";

/** What an idle line is. */
export const IDLE = { none: 0, comment: 1, string: 2, directive: 3 } as const;

const DIRECTIVE =
  /^\s*#(?: {2,})?(?:if|ifdef|ifndef|elif|elseif|else|endif|define|undef|pragma|error|warning|include|import|region|endregion|line|nullable)\b/;
const COMMENT =
  /^\s*(?:\/\/|#(?!\[|!\[|\{)|--(?:[\s[|-]|\w+ \w|$)|\*(?:[\s/*]|$)|;+(?:\s|$)|%+(?:\s|$)|\(\*|\{-|<!--|=begin\b)/;
/** What opens a comment of several lines, and what ends it. */
const SPANS: readonly (readonly [RegExp, string])[] = [
  [/^\s*\/\*/, "*/"],
  [/^\s*--\[\[/, "]]"],
  [/^\s*--\[=\[/, "]=]"],
  [/^\s*\{-(?!#)/, "-}"],
  [/^\s*\(\*/, "*)"],
  [/^\s*<!--/, "-->"],
  [/^=begin\b/, "\n=end"],
];
const DOC = /^\s*(?:@\w*doc\b[^"']*)?(?:~[sS])?("""|''')/;
const HEREDOC = /<<[-~]?(["']?)([A-Z][A-Z_0-9]+)\1/;

/** One of IDLE for each line. */
export function idleLines(table: LineTable): Uint8Array {
  const { text, starts, count } = table;
  const idle = new Uint8Array(count);
  // A mark without a further end is looked for once, not once a line.
  const endless = new Set<string>();
  const find = (mark: string, from: number): number => {
    const at = endless.has(mark) ? -1 : text.indexOf(mark, from);
    if (at < 0) endless.add(mark);
    return at;
  };
  let strays = 0;
  let i = 0;
  /** Paints lines up to the one that holds `at`; `last` of them too. */
  const paint = (at: number, kind: number, { last }: { last: boolean }): void => {
    for (; i + 1 < count && (starts[i + 1] ?? 0) <= at; i++) idle[i] = kind;
    if (last) idle[i] = kind;
  };
  for (; i < count; i++) {
    const line = lineHead(table, i);
    const from = starts[i] ?? 0;
    if (DIRECTIVE.test(line)) {
      idle[i] = IDLE.directive;
      continue;
    }
    if (COMMENT.test(line) || /^\s*\/\*/.test(line)) {
      idle[i] = IDLE.comment;
      const span = SPANS.find(([opens]) => opens.test(line));
      const open = span === undefined ? 0 : (span[0].exec(line)?.[0].length ?? 0);
      const end = span === undefined ? -1 : find(span[1], from + open);
      if (end >= 0) paint(end + (span?.[1].length ?? 1) - 1, IDLE.comment, { last: true });
      continue;
    }
    const quote = line.includes('"""') ? '"""' : line.includes("'''") ? "'''" : "";
    if (quote !== "" && line.split(quote).length % 2 === 0) {
      const isDoc = DOC.test(line);
      const end = find(quote, from + line.lastIndexOf(quote) + 3);
      if (isDoc) idle[i] = IDLE.comment;
      if (end < (starts[i + 1] ?? text.length)) continue;
      i += isDoc ? 0 : 1;
      paint(end, isDoc ? IDLE.comment : IDLE.string, { last: true });
      continue;
    }
    const word = strays < STRAYS && line.includes("<<") ? HEREDOC.exec(line)?.[2] : undefined;
    if (word === undefined) continue;
    const end = heredocEnd(table, i, word);
    if (end > i) idle.fill(IDLE.string, i + 1, end + 1);
    else strays++;
    i = Math.max(i, end);
  }
  return idle;
}

const HEREDOC_LINES = 400;
/** After so many words that end nowhere, `<<` means something else here. */
const STRAYS = 20;

/** The line that is only the word, or -1. */
function heredocEnd(table: LineTable, i: number, word: string): number {
  for (let at = i + 1; at < Math.min(table.count, i + HEREDOC_LINES); at++)
    if (lineHead(table, at).trim() === word) return at;
  return -1;
}
