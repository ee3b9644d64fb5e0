// Code without its comments and strings: what stands in them is blanked, so that every line and column stays. It
// goes by delimiters and not by a grammar, which tells only lines apart: a call may share its line with a comment. Where
// a delimiter is misread, a call is missed, and nothing else.
import { extensionOf, type Family, familyOf } from "../catalog/file-kind.ts";

const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\n]*`;
const DASHES = String.raw`--\[\[[\s\S]*?(?:\]\]|$)|--[^\n]*`;
/** Not `$#`, not `${name#prefix}`. */
const HASH_WORD = String.raw`(?<!\S)#[^\n]*`;

const PREFIX = String.raw`(?:\b[rR]?[fF][rR]?|\$@?)?`;
const IS_STRING = new RegExp(`^${PREFIX}["'\`]`);
const LONG_STRING = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;
const SHORT_STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const STRING = `${PREFIX}(?:${LONG_STRING}|${SHORT_STRING})`;
const TEMPLATE = "`(?:\\\\[\\s\\S]|[^`\\\\])*`";
/** `'a` is a lifetime; a string goes on over the ends of lines. */
const RUST_STRING = String.raw`"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n']+|[^'\\\n])'`;

const PROSE: Readonly<Record<Exclude<Family, "docs">, RegExp>> = {
  python: anyOf(HASH, STRING),
  script: anyOf(SLASHES, STRING, TEMPLATE),
  go: anyOf(SLASHES, STRING, TEMPLATE),
  rust: anyOf(SLASHES, RUST_STRING),
  braces: anyOf(SLASHES, STRING),
  ruby: anyOf(HASH, STRING),
  shell: anyOf(HASH_WORD, STRING),
  data: anyOf(HASH_WORD, STRING),
  plain: anyOf(HASH_WORD, STRING),
};
const LUA_PROSE = anyOf(DASHES, STRING);

/** Code inside of a string: `${…}`, `#{…}`; after `f"` and `$"` what stands in braces. */
const HOLE = /[$#]\{[^{}]*\}/g;
const BRACED_HOLE = /\{[^{}]*\}/g;

/** The text with comments and strings replaced by spaces; interpolated code stays. All of a document is replaced. */
export function maskProse(text: string, path: string): string {
  const family = familyOf(path);
  if (family === "docs") return blank(text);
  const prose = extensionOf(path) === "lua" ? LUA_PROSE : PROSE[family];
  return text.replace(prose, (found) => (IS_STRING.test(found) ? maskString(found) : blank(found)));
}

function maskString(found: string): string {
  let masked = "";
  let from = 0;
  for (const hole of found.matchAll(/^["'`]/.test(found) ? HOLE : BRACED_HOLE)) {
    masked += blank(found.slice(from, hole.index)) + hole[0];
    from = hole.index + hole[0].length;
  }
  return masked + blank(found.slice(from));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join("|"), "g");
}
