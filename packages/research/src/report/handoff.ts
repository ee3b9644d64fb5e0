// A memo read again: every reference is looked up in the files of today. A quote that is no longer on its line is
// searched in its file; what is found elsewhere has moved, what is not found is gone, what could not be read was not
// checked. People edit memos: it is read like any other file, and shown no longer than an answer.
import { stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { ResearchError } from "../research-error.ts";
import { isInside, labelRoots, parseReference, type ResearchRoot } from "../roots.ts";
import type { Reader } from "../runtime/reader.ts";
import { cut, LENGTHS } from "./fit-report.ts";
import { saysQuote } from "./quote.ts";
import type { ResumeReport } from "./schema.ts";

export interface ResumeOptions {
  readonly dir: string;
  readonly path: string;
  readonly reader: Reader;
  readonly signal: AbortSignal;
  /** Whether a root of the memo may be searched here and now. */
  isAllowed(root: string): boolean;
}

const MAX_MEMO_CHARS = 200_000;
const MAX_CHECKED = 40;

type Checked = ResumeReport["references"][number];

export async function resumeHandoff(options: ResumeOptions): Promise<ResumeReport> {
  const memo = await readMemo(options);
  const roots = labelRoots(memo.roots); // as they were when its references were written
  const references: Checked[] = [];
  for (const reference of memo.references.slice(0, MAX_CHECKED)) {
    options.signal.throwIfAborted();
    const checked = await check(reference, quoteOf(reference, memo.findings), roots, options);
    if (checked !== undefined) references.push(checked);
  }
  const lost = references.filter(({ status }) => status !== "ok").length;
  const left = memo.references.length - references.length;
  const notes = [
    lost > 0 ? `${lost} of ${references.length} references moved or gone` : "",
    left > 0 ? `${left} references not checked` : "",
  ].filter((note) => note !== "");
  return {
    artifact: { path: memo.path },
    question: cut(memo.question, LENGTHS.question),
    summary: cut(memo.summary, LENGTHS.summary),
    references,
    notes: notes.length === 0 ? null : notes.join("; "),
  };
}

/** undefined: it could not be checked, and may still be there. */
async function check(
  reference: string,
  quote: string | undefined,
  roots: readonly ResearchRoot[],
  options: ResumeOptions,
): Promise<Checked | undefined> {
  const gone: Checked = { reference, status: "gone" };
  const at = parseReference(reference, roots);
  if (at === undefined) return gone;
  if (!options.isAllowed(at.root.path)) return undefined;
  const source = await options.reader.read(at.root, at.path, options.signal);
  if (source === undefined) return (await isThere(at)) ? undefined : gone;
  if (at.line === undefined) return { reference, status: "ok" };
  const lines = source.text.split("\n");
  const line = lines[at.line - 1];
  if (line !== undefined && (quote === undefined || saysQuote(line, quote))) return { reference, status: "ok" };
  const found = quote === undefined ? undefined : nearest(lines, quote, at.line);
  if (found !== undefined) return { reference, status: "moved", now: reference.replace(/:\d+(?::\d+)?$/, `:${found}`) };
  return source.truncated ? undefined : gone;
}

async function isThere({ root, path }: { readonly root: ResearchRoot; readonly path: string }): Promise<boolean> {
  const file = resolve(root.path, path);
  return (
    isInside(root.path, file) &&
    (await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    ))
  );
}

function nearest(lines: readonly string[], quote: string, line: number): number | undefined {
  let best: number | undefined;
  lines.forEach((text, i) => {
    if (saysQuote(text, quote) && (best === undefined || Math.abs(i + 1 - line) < Math.abs(best - line))) best = i + 1;
  });
  return best;
}

interface Memo {
  readonly path: string;
  readonly question: string;
  readonly summary: string;
  readonly findings: readonly string[];
  readonly references: readonly string[];
  readonly roots: readonly string[];
}

async function readMemo({ dir, path, reader, signal }: ResumeOptions): Promise<Memo> {
  const base = resolve(dir);
  const file = isAbsolute(path) ? resolve(path) : join(base, path);
  const unreadable = (why: string) =>
    new ResearchError("handoff_unreadable", why, { hint: "name a handoff that create_handoff wrote" });
  if (!isInside(base, file)) throw unreadable("the handoff is outside the artefact directory");
  const text = (await reader.read({ path: base, label: "" }, relative(base, file), signal))?.text ?? "";
  if (!text.startsWith("# Research Handoff")) throw unreadable("there is no such handoff");
  const sections = new Map<string, string[]>();
  let section: string[] = [];
  for (const line of text.slice(0, MAX_MEMO_CHARS).split("\n")) {
    if (line.startsWith("## ")) {
      section = [];
      sections.set(line.slice(3).trim(), section);
    } else section.push(line);
  }
  const textOf = (name: string): string => (sections.get(name) ?? []).join("\n").trim();
  const items = (name: string): string[] =>
    (sections.get(name) ?? []).flatMap((line) => (line.startsWith("- ") && line !== "- none" ? [line.slice(2)] : []));
  return {
    path: file,
    question: textOf("Question"),
    summary: textOf("Summary"),
    findings: items("Key Findings"),
    references: items("References"),
    roots: items("Constraints / Budgets").flatMap((item) => /^roots: (.+)$/.exec(item)?.[1] ?? []),
  };
}

/** The quote of the finding that is about this reference (roles/analyzer.ts, toNote). */
function quoteOf(reference: string, findings: readonly string[]): string | undefined {
  for (const finding of findings) {
    const note = finding.replace(/^calls /, "");
    if (!note.startsWith(`${reference} `) && !note.startsWith(`${reference}: `)) continue;
    const rest = note.slice(reference.length);
    return rest.slice(rest.indexOf(": ") + 2);
  }
  return undefined;
}
