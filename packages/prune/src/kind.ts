// The kind of a text: the one that the caller gave, else a match list if it is one beyond doubt, else by its path, else by
// the look of its lines. It decides the path through the engine; a wrong guess costs quality, never correctness.
import { COMMIT } from "./docs/doc-headings.ts";
import { CODE_LINE, COLOUR, DOC_LINE, isProse, LOG_LINE, SURE_MATCH } from "./logs/line-looks.ts";
import { PRINTED_LINES } from "./logs/log-signs.ts";
import { readsLikeLog } from "./logs/output-stretches.ts";
import { isMatchList } from "./matches/find-matches.ts";
import { kindOfPath, type SourceKind } from "./outline/extensions.ts";
import { declaredLanguage, languageSigns } from "./outline/sniff-language.ts";
import { type LineTable, lineAt, lineHead } from "./text/lines.ts";

const LOOK_LINES = 200;
/** With so many signs of one language a text is code, whatever else is in it. */
const SURE_SIGNS = 8;
const DOCUMENT_LINES = 2000;
/** Characters of a text's beginning in which markup is recognised. */
const MARKUP_CHARS = 200;
const MARKUP_START = /^\s*<(?:!doctype\b|html\b|\?xml\b)/i;
/** Enough signs where nothing indicates a log. */
const SOME_SIGNS = 3;

/** The kind of a text by its path, unless it is a match list or reads like a log, else by its lines. */
export function sniffKind(table: LineTable, path: string | undefined, poll = (): void => {}): SourceKind {
  if (isMatchList(table)) return "matches";
  const named = kindOfName(table, path);
  if (named === "logs") return "logs";
  if (named !== undefined) return readsLikeLog(table, poll) ? "logs" : named;
  if (COMMIT.test(lineHead(table, 0))) return "docs";
  if (MARKUP_START.test(table.text.slice(0, MARKUP_CHARS))) return markupKind(table);
  if (declaredLanguage(table) !== undefined) return "code";
  const seen = { matches: 0, logs: 0, docs: 0, code: 0, printed: 0, all: 0 };
  // A program repeats its openings, a writer does not.
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
  // `=== RUN` of `go test` has the form of a heading.
  if (!isPrinted && isDocument(table)) return readsLikeLog(table, poll) ? "logs" : "docs";
  const signs = isPrinted || isDocs ? 0 : languageSigns(table).count;
  if (signs >= SURE_SIGNS || (signs >= SOME_SIGNS && seen.logs <= Math.max(1, seen.all * 0.05))) return "code";
  seen.logs += seen.printed;
  if (seen.logs >= seen.all * 0.2 && seen.logs >= seen.code) return "logs";
  if (seen.code >= seen.all * 0.2 && seen.code >= seen.docs) return "code";
  // A manual, a licence: sentences, and no output of a program.
  if (openings.size >= seen.all * 0.3 && seen.logs < seen.all * 0.05) return "docs";
  return seen.docs >= seen.all * 0.05 && seen.docs > seen.logs ? "docs" : "logs";
}

const OPENING_WORDS = 3;

function kindOfName(table: LineTable, path: string | undefined): SourceKind | undefined {
  const kind = kindOfPath(path);
  return kind === "page" ? markupKind(table) : kind;
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
  // A title at the beginning counts twice.
  let start = 0;
  while (start < LOOK_LINES && isBlankAt(table, start) && start < table.count) start++;
  if (isTitle(table, start)) titles++;
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
