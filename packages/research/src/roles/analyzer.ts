// How: short notes on the flow through the best files, each with path:line and a quote from the lines that prune keeps;
// then one hop to what is called from there. Reads through the shared budget only.
import { type Grammars, prune } from "@jeeves/prune";
import { scanWords } from "@jeeves/prune/text";
import { familyOf } from "../catalog/file-kind.ts";
import { maskProse } from "../corpus/mask-prose.ts";
import { scanDefinitions } from "../corpus/scan-definitions.ts";
import { bestLines } from "../rank/best-lines.ts";
import { toQuote } from "../report/quote.ts";
import { type ResearchRoot, toReference } from "../roots.ts";
import type { RoleResult } from "../runtime/outcome.ts";
import type { Reader, SourceText } from "../runtime/reader.ts";
import type { Question } from "../words/question.ts";
import { type LocatedFile, linesOf } from "./locator.ts";

/** At most `maxFindings` notes are given. */
interface AnalyzeOptions {
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly roots: readonly ResearchRoot[];
  readonly loadGrammars: () => Promise<Grammars | undefined>;
  readonly maxFindings: number;
}

/** A quoted line: of the files that answer ("evidence"), or a definition that they call ("calls"). */
export interface Finding {
  readonly reference: string;
  readonly scope: string;
  readonly quote: string;
  readonly kind: "evidence" | "calls";
}

/** The notes, and the same as a role's result. */
export interface Analyzed {
  readonly findings: readonly Finding[];
  readonly result: RoleResult;
}

const FILES = 3;
const QUOTES_OF = [2, 1, 1];
const PRUNED_CHARS = 4_000;
const MAX_PRUNE_CHARS = 400_000;

/** Quotes the first three files that could be read, code before docs. */
export async function analyze(
  files: readonly LocatedFile[],
  question: Question,
  options: AnalyzeOptions,
): Promise<Analyzed> {
  const findings: Finding[] = [];
  const grammars = await options.loadGrammars();
  const readable = files.filter(({ lines }) => lines.length > 0);
  // Code comes before docs.
  const chosen = [...readable.filter(({ part }) => part !== "docs"), ...readable.filter(({ part }) => part === "docs")];
  for (const [n, file] of chosen.slice(0, FILES).entries()) {
    const source = await options.reader.read(file.root, file.path, options.signal);
    if (source === undefined) continue;
    findings.push(...(await evidenceOf(file, source, { ...options, question, grammars, count: QUOTES_OF[n] ?? 1 })));
  }
  const [first] = chosen;
  if (first !== undefined) findings.push(...(await hopsOf(first, options)));
  const kept = findings.slice(0, options.maxFindings);
  if (kept.length === 0) return { findings: [], result: withoutEvidence(files, options) };
  const calls = kept.filter(({ kind }) => kind === "calls").length;
  return {
    findings: kept,
    result: {
      summary: `Places traced: ${kept.length - calls}${calls > 0 ? `; definitions called from the first: ${calls}` : ""}.`,
      references: [...new Set(kept.map(({ reference }) => reference))],
      key_findings: kept.map(toNote),
      confidence: (first?.ranked.coverage ?? 0) >= 0.45 ? "high" : "med",
      notes: limitsNote(options),
    },
  };
}

/** A file may be known by its name alone: then it is named, and no line of it. */
function withoutEvidence([best]: readonly LocatedFile[], options: AnalyzeOptions): RoleResult {
  const reference = best === undefined ? undefined : toReference(best, options.roots);
  return {
    summary:
      reference === undefined
        ? "Not found: no file could be read for evidence."
        : `Best match: ${reference}; no line of it could be quoted.`,
    references: reference === undefined ? [] : [reference],
    key_findings: [],
    confidence: "low",
    notes: limitsNote(options),
  };
}

function limitsNote({ reader }: AnalyzeOptions): string | null {
  return reader.refused > 0 ? "limits on files or bytes may have truncated the result" : null;
}

/** `src/a.py:12 Scope.name: the quote`. A scope may be a heading; ": " comes before the quote and nowhere else. */
export function toNote({ reference, scope, quote, kind }: Finding): string {
  const name = scope.replaceAll(": ", " ");
  return `${kind === "calls" ? "calls " : ""}${reference}${name === "" ? "" : ` ${name}`}: ${quote}`;
}

async function evidenceOf(
  file: LocatedFile,
  source: SourceText,
  options: AnalyzeOptions & {
    readonly question: Question;
    readonly grammars: Grammars | undefined;
    readonly count: number;
  },
): Promise<Finding[]> {
  const { text, path } = source;
  let among: ((line: number) => boolean) | undefined;
  if (text.length <= MAX_PRUNE_CHARS) {
    const pruned = await prune(text, {
      focus: options.question.text.slice(0, 1_000),
      path,
      amount: { mode: "auto", maxChars: PRUNED_CHARS },
      ...(options.grammars === undefined ? {} : { grammars: options.grammars }),
      shouldStop: () => options.signal.aborted,
    });
    options.signal.throwIfAborted();
    if (pruned.status === "pruned") among = (line) => (pruned.kept[line] ?? 0) > 0;
  }
  const asked = linesOf(file.ranked);
  let lines = bestLines(path, text, { ...asked, count: options.count, ...(among === undefined ? {} : { among }) });
  if (lines.length === 0) lines = bestLines(path, text, { ...asked, count: options.count });
  return lines.map((line) => ({
    reference: toReference({ root: file.root, path, line: line.line }, options.roots),
    scope: line.scope,
    quote: toQuote(line.text),
    kind: "evidence",
  }));
}

const MAX_CALLS = 2;
const MAX_SCOPE_LINES = 60;
const MAX_LINE_CHARS = 500;

/** From the best scope of the best file: what it calls that is defined elsewhere. */
async function hopsOf(file: LocatedFile, options: AnalyzeOptions): Promise<Finding[]> {
  const [best] = file.lines;
  const source = await options.reader.read(file.root, file.path, options.signal);
  if (best === undefined || best.scope === "" || source === undefined) return [];
  const { corpus } = file.ranked;
  const end = Math.min(best.scopeEnd, best.scopeLine + MAX_SCOPE_LINES);
  const scope = source.text
    .split("\n")
    .slice(best.scopeLine - 1, end)
    .join("\n");
  const names = new Map<string, number>();
  for (const line of maskProse(scope, file.path).split("\n")) {
    scanWords(line, 0, Math.min(line.length, MAX_LINE_CHARS), (word, at) => {
      if (line.charAt(at + word.length) !== "(" || word.length < 4) return;
      const definers = corpus.definersOf(word);
      if (definers.length === 1 && definers[0] !== file.ranked.file) names.set(word, definers[0] ?? 0);
    });
  }
  const hops: Finding[] = [];
  for (const [name, target] of names) {
    if (hops.length >= MAX_CALLS) break;
    const finding = await definitionOf(name, corpus.pathOf(target), file.root, options);
    if (finding !== undefined) hops.push(finding);
  }
  return hops;
}

async function definitionOf(
  name: string,
  path: string,
  root: ResearchRoot,
  options: AnalyzeOptions,
): Promise<Finding | undefined> {
  const source = await options.reader.read(root, path, options.signal);
  if (source === undefined) return undefined;
  const lines = source.text.split("\n");
  const definition = scanDefinitions(lines, familyOf(path)).find((each) => each.name === name);
  if (definition === undefined) return undefined;
  return {
    reference: toReference({ root, path, line: definition.line + 1 }, options.roots),
    scope: name,
    quote: toQuote(lines[definition.line] ?? "", 80),
    kind: "calls",
  };
}
