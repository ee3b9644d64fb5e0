// A memo read again: every reference is looked up in the files of today. A quote that is no longer on its line is
// searched in its file; what is found elsewhere has moved, what is not found is gone.
import { readFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { saysQuote } from "./quote.ts";
import { ResearchError } from "./research-error.ts";
import { isInside, parseReference, type ResearchRoot } from "./roots.ts";
import type { Reader } from "./runtime/reader.ts";
import type { ResumeReport } from "./schema.ts";

export interface ResumeOptions {
  readonly dir: string;
  readonly path: string;
  readonly reader: Reader;
  readonly signal: AbortSignal;
  /** The allowed roots: the memo's own are used where they are among them. */
  chooseRoots(paths: readonly string[]): readonly ResearchRoot[];
}

const MAX_MEMO_CHARS = 200_000;
const MAX_CHECKED = 40;

export async function resumeHandoff(options: ResumeOptions): Promise<ResumeReport> {
  const memo = await readMemo(options);
  const roots = options.chooseRoots(memo.roots);
  const quotes = quotesOf(memo.findings);
  const references: ResumeReport["references"] = [];
  for (const reference of memo.references.slice(0, MAX_CHECKED)) {
    options.signal.throwIfAborted();
    references.push(await check(reference, quotes.get(reference), roots, options));
  }
  const lost = references.filter(({ status }) => status !== "ok").length;
  const left = memo.references.length - references.length;
  const notes = [
    lost > 0 ? `${lost} of ${references.length} references moved or gone` : "",
    left > 0 ? `${left} references not checked` : "",
  ].filter((note) => note !== "");
  return {
    artifact: { path: memo.path },
    question: memo.question,
    summary: memo.summary,
    references,
    notes: notes.length === 0 ? null : notes.join("; "),
  };
}

async function check(
  reference: string,
  quote: string | undefined,
  roots: readonly ResearchRoot[],
  options: ResumeOptions,
): Promise<ResumeReport["references"][number]> {
  const at = parseReference(reference, roots);
  const source = at === undefined ? undefined : await options.reader.read(at.root, at.path, options.signal);
  if (at === undefined || source === undefined) return { reference, status: "gone" };
  if (at.line === undefined) return { reference, status: "ok" };
  const lines = source.text.split("\n");
  const line = lines[at.line - 1];
  if (quote === undefined) return { reference, status: line === undefined ? "gone" : "ok" };
  if (line !== undefined && saysQuote(line, quote)) return { reference, status: "ok" };
  const found = nearest(lines, quote, at.line);
  if (found === undefined) return { reference, status: "gone" };
  return { reference, status: "moved", now: reference.replace(/:\d+(?::\d+)?$/, `:${found}`) };
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

async function readMemo({ dir, path }: ResumeOptions): Promise<Memo> {
  const base = resolve(dir);
  const file = isAbsolute(path) ? resolve(path) : join(base, path);
  const unreadable = (why: string) =>
    new ResearchError("handoff_unreadable", why, { hint: "name a handoff that create_handoff wrote" });
  if (!isInside(base, file)) throw unreadable("the handoff is outside the artefact directory");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined || !text.startsWith("# Research Handoff")) throw unreadable("there is no such handoff");
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
  const roots = items("Constraints / Budgets").find((item) => item.startsWith("roots: "));
  return {
    path: file,
    question: textOf("Question"),
    summary: textOf("Summary"),
    findings: items("Key Findings"),
    references: items("References"),
    roots: (roots ?? "")
      .slice("roots: ".length)
      .split(", ")
      .filter((root) => root !== ""),
  };
}

/** `src/a.py:12 Scope.name: the quote` */
function quotesOf(findings: readonly string[]): ReadonlyMap<string, string> {
  const quotes = new Map<string, string>();
  for (const finding of findings) {
    const m = /^(?:calls |called from )?(\S+?:\d+)(?: (?:[^:]|:(?! ))*)?: (.+)$/.exec(finding);
    if (m?.[1] !== undefined && m[2] !== undefined) quotes.set(m[1], m[2]);
  }
  return quotes;
}
