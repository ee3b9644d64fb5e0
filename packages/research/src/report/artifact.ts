// A report as a memo on disk (C-36 … C-38): only when asked for, only inside the artefact directory, redacted like every
// answer. The quotes in it let a later reader find what has moved.
import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { makeDirs, writeFileAtomic } from "@jeeves/state";
import { ResearchError } from "../research-error.ts";
import { isInside } from "../roots.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { ResearchReport } from "./schema.ts";

/** Where a memo goes, and what goes into it besides the report. */
interface ArtifactOptions {
  readonly dir: string;
  /** Relative to the directory, or absolute and inside it. Without one it is named after the question. */
  readonly path?: string;
  readonly now: Date;
  /** All that were asked about, in order: their number and names decide how the references are written. */
  readonly roots: readonly string[];
  /** Of the references, by their words. */
  readonly fingerprints: ReadonlyMap<string, Fingerprint>;
  readonly redact: (text: string) => Promise<string>;
}

/** Writes a memo, over an older one of the same name, and gives its path. Rejects with `artifact_failed`. */
export async function writeArtifact(report: ResearchReport, options: ArtifactOptions): Promise<string> {
  const path = artifactPath(report.question, options);
  try {
    await makeDirs(dirname(path), { mode: 0o700 });
    refuseEscape(options.dir, path);
    await writeFileAtomic(path, await options.redact(toMemo(report, options)));
    return path;
  } catch (error) {
    if (error instanceof ResearchError) throw error;
    throw new ResearchError("artifact_failed", "the artefact could not be written", {
      hint: "set artifacts.dir to a directory that can be written",
      cause: error,
    });
  }
}

/** The absolute path of a memo. Throws `artifact_failed` unless it is a .md file inside the directory. */
export function artifactPath(question: string, options: Pick<ArtifactOptions, "dir" | "path" | "now">): string {
  const dir = resolve(options.dir);
  if (options.path !== undefined) {
    const path = isAbsolute(options.path) ? resolve(options.path) : resolve(dir, options.path);
    if (!isInside(dir, path) || path === dir || !path.endsWith(".md"))
      throw new ResearchError(
        "artifact_failed",
        "the artefact's path must be a .md file inside the artefact directory",
      );
    return path;
  }
  const day = options.now.toISOString().slice(0, 10);
  const words = question.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 6).join("-").slice(0, 48) || "research";
  const mark = createHash("sha256").update(question).digest("hex").slice(0, 6);
  return join(dir, `${day}-${slug}-${mark}.md`);
}

/** A symlink inside the directory must not lead the memo out of it. */
function refuseEscape(dir: string, path: string): void {
  const isOut = !isInside(realpathSync(resolve(dir)), realpathSync(dirname(path)));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isOut || isLink)
    throw new ResearchError("artifact_failed", "the artefact's path leads out of the artefact directory");
}

/** Every reference of a report, once, evidence first. */
export function referencesOf(report: ResearchReport): string[] {
  const { synthesis, evidence, locator, analyzer, patterns } = report;
  const roles = [analyzer, locator, patterns].flatMap((role) => (role?.status === "ok" ? role.value.references : []));
  return [...new Set([...evidence.map(({ reference }) => reference), ...synthesis.references, ...roles])];
}

/** The memo as Markdown; `resumeHandoff` reads it by its headings. */
function toMemo(
  report: ResearchReport,
  { roots, fingerprints }: Pick<ArtifactOptions, "roots" | "fingerprints">,
): string {
  const { synthesis, evidence, locator, analyzer, patterns, constraints } = report;
  const roles = [locator, analyzer, patterns].flatMap((role) => (role?.status === "ok" ? [role.value] : []));
  const findings = [...new Set([...roles.flatMap((role) => role.key_findings), ...synthesis.key_findings])];
  const references = referencesOf(report);
  const code = evidence.flatMap(({ reference, text }) => ["", `${reference}`, "", fence(text), text, fence(text)]);
  const budget = Object.entries(constraints).map(([name, value]) => `- ${name}: ${value}`);
  return [
    "# Research Handoff",
    "",
    "## Question",
    "",
    report.question.replace(/^(#+ )/gm, "\\$1"),
    "",
    "## Summary",
    "",
    `${synthesis.summary} Confidence: ${synthesis.confidence}.`,
    "",
    "## Key Findings",
    "",
    ...(findings.length === 0 ? ["- none"] : findings.map((finding) => `- ${finding}`)),
    ...code,
    "",
    "## References",
    "",
    ...(references.length === 0 ? ["- none"] : references.map((reference) => `- ${reference}`)),
    "",
    "## Constraints / Budgets",
    "",
    ...roots.map((root) => `- roots: ${root}`),
    ...budget,
    `- timeouts: ${report.progress.timeouts}`,
    ...(synthesis.notes === null ? [] : ["", "## Notes", "", synthesis.notes]),
    "",
    ...(fingerprints.size === 0 ? [] : [FINGERPRINTS, JSON.stringify(Object.fromEntries(fingerprints)), "-->", ""]),
  ].join("\n");
}

/** Opens the last block of a memo: how each reference is known again. Markdown does not show it. */
export const FINGERPRINTS = "<!-- fingerprints";

/** Longer than any run of backticks in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(longest + 1);
}
