// Reads a memo again and compares every reference with its fingerprint: ok, moved, changed or gone. References
// without a fingerprint and files that cannot be read are not checked, and are counted. People edit memos, so a memo is
// read like any other file, and what is shown of it is no longer than an answer.
import { stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { isRecord } from "@jeeves/base";
import { ResearchError } from "../research-error.ts";
import { isInside, labelRoots, parseReference, type ResearchRoot } from "../roots.ts";
import type { Reader } from "../runtime/reader.ts";
import { FINGERPRINTS } from "./artifact.ts";
import { comparePlace, type Fingerprint, fingerprintSchema } from "./fingerprint.ts";
import { cut, LENGTHS } from "./fit-report.ts";
import type { ResumeReport } from "./schema.ts";

/** `dir` is the artefact directory; `path` is relative to it, or absolute and inside it. */
interface ResumeOptions {
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

/** Checks the first 40 references of a memo. Rejects with `handoff_unreadable` where there is no memo at the path. */
export async function resumeHandoff(options: ResumeOptions): Promise<ResumeReport> {
  const memo = await readMemo(options);
  const roots = labelRoots(memo.roots); // as they were when its references were written
  const references: Checked[] = [];
  for (const reference of memo.references.slice(0, MAX_CHECKED)) {
    options.signal.throwIfAborted();
    const checked = await check(reference, memo.fingerprints.get(reference), roots, options);
    if (checked !== undefined) references.push(checked);
  }
  const lost = references.filter(({ status }) => status !== "ok").length;
  const left = memo.references.length - references.length;
  const notes = [
    lost > 0 ? `${lost} of ${references.length} references moved, changed or gone` : "",
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
  was: Fingerprint | undefined,
  roots: readonly ResearchRoot[],
  options: ResumeOptions,
): Promise<Checked | undefined> {
  const gone: Checked = { reference, status: "gone" };
  const at = parseReference(reference, roots);
  if (at === undefined) return gone;
  if (!options.isAllowed(at.root.path)) return undefined;
  const source = await options.reader.read(at.root, at.path, options.signal);
  if (source === undefined) return (await isThere(at)) ? undefined : gone;
  if (was === undefined) return undefined; // without a fingerprint nothing is ok
  const now = comparePlace(source.text, at.line, was);
  if (source.truncated && now.status !== "ok") return undefined;
  if (now.status !== "moved") return { reference, status: now.status };
  return { reference, status: "moved", now: reference.replace(/:\d+(?::\d+)?$/, `:${now.line}`) };
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

interface Memo {
  readonly path: string;
  readonly question: string;
  readonly summary: string;
  readonly fingerprints: ReadonlyMap<string, Fingerprint>;
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
    fingerprints: fingerprintsIn(text),
    references: items("References"),
    roots: items("Constraints / Budgets").flatMap((item) => /^roots: (.+)$/.exec(item)?.[1] ?? []),
  };
}

/** The fingerprints in the last block of the memo; empty where it cannot be parsed. */
function fingerprintsIn(text: string): ReadonlyMap<string, Fingerprint> {
  const found = new Map<string, Fingerprint>();
  const start = text.lastIndexOf(`\n${FINGERPRINTS}\n`);
  const end = text.indexOf("\n-->", start + 1);
  if (start < 0 || end < 0) return found;
  let block: unknown;
  try {
    block = JSON.parse(text.slice(start + FINGERPRINTS.length + 2, end));
  } catch {
    return found;
  }
  if (!isRecord(block)) return found;
  for (const [reference, value] of Object.entries(block)) {
    const parsed = fingerprintSchema.safeParse(value);
    if (parsed.success) found.set(reference, parsed.data);
  }
  return found;
}
