// What a text is: the kind the caller gave, else what its path says, else what its first lines look like. It decides
// the path through the engine and the grammar; a wrong guess costs quality, never correctness.
import { COMMIT } from "./doc-headings.ts";
import { CODE_LINE, COLOUR, DOC_LINE, isProse, LOG_LINE } from "./line-looks.ts";
import { type LineTable, lineAt, lineHead } from "./lines.ts";
import { PRINTED_LINES } from "./log-signs.ts";
import { readsLikeLog } from "./output-stretches.ts";
import { languageSigns, saysLanguage, sniffLanguage } from "./sniff-language.ts";

export type SourceKind = "code" | "logs" | "docs" | "matches";

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  (
    "py:python pyi:python pyw:python js:javascript mjs:javascript cjs:javascript jsx:javascript ts:typescript mts:typescript cts:typescript tsx:tsx " +
    "go:go rs:rust java:java rb:ruby rake:ruby gemspec:ruby php:php cs:c-sharp c:cpp h:cpp cc:cpp cpp:cpp cxx:cpp hh:cpp hpp:cpp hxx:cpp " +
    "sh:bash bash:bash zsh:bash css:css scss:css ps1:powershell psm1:powershell ini:ini cfg:ini"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
/** Code that no grammar here reads: whatever it looks like, it is not one of the languages above. */
const FOREIGN = new Set(
  (
    "kt kts swift scala sc lua ex exs erl hrl hs lhs ml mli fs fsi fsx clj cljs cljc edn dart groovy gradle jl r pl pm t m mm vb pas " +
    "zig nim d v sv vhd vhdl sol tf hcl proto graphql gql sql elm cr tcl awk lisp el scm rkt asm s f90 f for ada adb cmake vim " +
    "json jsonc json5 ipynb yaml yml toml xml xsd xsl svg plist html htm xhtml vue svelte astro"
  ).split(" "),
);
const PAGES = new Set("html htm xhtml".split(" "));
const DOCS = new Set("md mdx markdown rst adoc txt org".split(" "));
const LOGS = new Set("log out err jsonl ndjson".split(" "));
const LOOK_LINES = 200;
/** So many signs of one language make a text code, whatever else stands in it. */
const SURE_SIGNS = 8;
const DOCUMENT_LINES = 2000;
/** As much of a text's beginning as says that it is markup. */
const MARKUP_CHARS = 200;
const MARKUP_START = /^\s*<(?:!doctype\b|html\b|\?xml\b)/i;
/** So many do where nothing speaks for a log. */
const SOME_SIGNS = 3;

export function extensionOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

export function languageOfPath(path: string | undefined): string | undefined {
  return path === undefined ? undefined : LANGUAGES.get(extensionOf(path));
}

/** The language whose grammar may read a text: what its path says, else what it looks like. */
export function languageOf(table: LineTable, path: string | undefined): string | undefined {
  return path !== undefined && FOREIGN.has(extensionOf(path))
    ? undefined
    : (languageOfPath(path) ?? sniffLanguage(table));
}

/** What a text is by its path, unless it reads like a log, else by its lines. */
export function sniffKind(table: LineTable, path: string | undefined, poll = (): void => {}): SourceKind {
  const named = kindOfName(table, path === undefined ? "" : extensionOf(path));
  if (named === "logs") return "logs";
  if (named !== undefined) return readsLikeLog(table, poll) ? "logs" : named;
  if (COMMIT.test(lineHead(table, 0))) return "docs";
  if (MARKUP_START.test(table.text.slice(0, MARKUP_CHARS))) return markupKind(table);
  if (saysLanguage(table) !== undefined) return "code";
  const seen = { matches: 0, logs: 0, docs: 0, code: 0, printed: 0, all: 0 };
  // A program says the same again and again, a writer does not.
  const openings = new Set<string>();
  // All over the text: a file may open with two hundred lines of data or prose.
  const looks = Math.min(table.count, LOOK_LINES);
  for (let look = 0; look < looks; look++) {
    const i = Math.floor((look * table.count) / looks);
    const line = lineHead(table, i);
    if (line.trim() === "") continue;
    seen.all++;
    if (isProse(line)) openings.add(line.trim().split(/\s+/, OPENING_WORDS).join(" "));
    // A title stands alone; what looks like one among its like is a comment.
    if (/^# /.test(line) && !(isBlankAt(table, i - 1) && isBlankAt(table, i + 1))) continue;
    if (PRINTED_LINES.some((pattern) => pattern.test(line)) || line.includes(COLOUR)) seen.printed++;
    else if (SURE_MATCH.test(line)) seen.matches++;
    else if (LOG_LINE.test(line)) seen.logs++;
    else if (DOC_LINE.test(line)) seen.docs++;
    else if (CODE_LINE.test(line)) seen.code++;
  }
  if (seen.all === 0) return "docs";
  if (seen.matches >= seen.all * 0.6) return "matches";
  const isPrinted = seen.printed >= seen.all * 0.2;
  const isDocs = seen.docs * 2 > seen.code && seen.docs >= seen.all * 0.05;
  if (!isPrinted && seen.docs > 0 && isDocument(table)) return "docs";
  const signs = isPrinted || isDocs ? 0 : languageSigns(table).count;
  if (signs >= SURE_SIGNS || (signs >= SOME_SIGNS && seen.logs <= Math.max(1, seen.all * 0.05))) return "code";
  seen.logs += seen.printed;
  if (seen.logs >= seen.all * 0.2 && seen.logs >= seen.code) return "logs";
  if (seen.code >= seen.all * 0.2 && seen.code >= seen.docs) return "code";
  // A manual, a licence: sentences, and nothing that a program says.
  if (openings.size >= seen.all * 0.3 && seen.logs < seen.all * 0.05) return "docs";
  return seen.docs >= seen.all * 0.05 && seen.docs > seen.logs ? "docs" : "logs";
}

const OPENING_WORDS = 3;

function kindOfName(table: LineTable, extension: string): SourceKind | undefined {
  if (PAGES.has(extension)) return markupKind(table);
  if (LANGUAGES.has(extension) || FOREIGN.has(extension)) return "code";
  if (DOCS.has(extension)) return "docs";
  return LOGS.has(extension) ? "logs" : undefined;
}

function isBlankAt(table: LineTable, i: number): boolean {
  return i < 0 || i >= table.count || lineAt(table, i).trim() === "";
}

/** A page with headings is read by them; any other markup is a tree, which its indentation tells. */
function markupKind({ text }: LineTable): SourceKind {
  return (text.match(/^[ \t]*<h[1-6][ >]/gim)?.length ?? 0) >= 2 ? "docs" : "code";
}

/** Prose around code rather than code with comments: what is fenced or indented counts for neither. */
function isDocument(table: LineTable): boolean {
  let [titles, prose, code] = [0, 0, 0];
  let fence = "";
  for (let i = 0; i < Math.min(table.count, DOCUMENT_LINES); i++) {
    const line = lineHead(table, i);
    const mark = /^\s{0,3}(```+|~~~+)(?!.*`)/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
    } else if (mark !== undefined && !isTitle(table, i - 1)) {
      fence = mark;
      titles++;
    } else if (/^\S/.test(line)) {
      if (/^(?:#{2,6} \S|={2,5} \S|\.\. [\w-]+::)/.test(line) || isTitle(table, i)) titles++;
      else if (CODE_LINE.test(line)) code++;
      else if (/^(?:[-*+>|] ?|\d+\. )?\S+(?: \S+){4,}/.test(line) && !/^(?:#|\/\/|--|;)/.test(line)) prose++;
    }
  }
  return titles >= 2 && prose + titles > 2 * code;
}

/** A line of words with a rule of at least its length under it. */
function isTitle(table: LineTable, i: number): boolean {
  if (i < 0 || i + 1 >= table.count) return false;
  const under = lineHead(table, i + 1).trimEnd();
  const title = lineHead(table, i).trimEnd();
  return /^([=\-~^"'*+`])\1{2,}$/.test(under) && /^\w/.test(title) && under.length >= title.length;
}

export const MATCH_LINE = /^(?:[A-Za-z]:)?[^\s:][^:\n]*[:-]\d+[:-](?:\d+[:-])?/;
/** A path without spaces, for a text that nobody called a match list. */
export const SURE_MATCH = /^(?:[A-Za-z]:)?[^\s:]+:\d+:(?:\d+:)?/;
