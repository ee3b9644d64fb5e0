// From what the roles found to one answer: the direct answer first, then entry points, configuration, patterns, history;
// no reference twice, always in the same order (C-30). It describes and does not advise (C-32).
import type { RankedBody } from "./evidence/choose-bodies.ts";
import { scopeOf } from "./evidence/trace.ts";
import type { Finding } from "./roles/analyzer.ts";
import type { LocatedFile } from "./roles/locator.ts";
import { type ResearchRoot, toReference } from "./roots.ts";
import type { Outcome, RoleResult } from "./runtime/outcome.ts";

/** What the roles found; an undefined role did not run. */
export interface Found {
  readonly locator: Outcome<RoleResult>;
  readonly analyzer: Outcome<RoleResult> | undefined;
  readonly patterns: Outcome<RoleResult> | undefined;
  readonly files: readonly LocatedFile[];
  readonly findings: readonly Finding[];
  /** What the evidence shows, best first. */
  readonly bodies: readonly RankedBody[];
  readonly history: readonly string[];
  readonly roots: readonly ResearchRoot[];
  /** Whether every word is paid for with code. */
  readonly isTight?: boolean;
}

const MAX_REFERENCES = 4;

/** One answer from it. Where the locator failed, the summary gives its status and its message. */
export function synthesize(found: Found): RoleResult {
  const { locator } = found;
  const missing = unfinished(found);
  if (locator.status !== "ok") {
    return {
      summary: `Not answered: the search ended with ${locator.status} (${locator.error.message}).`,
      references: [],
      key_findings: [],
      confidence: "low",
      notes: joined(missing),
    };
  }
  if (locator.value.references.length === 0) {
    return {
      ...locator.value,
      references: [],
      key_findings: [...found.history],
      notes: joined([locator.value.notes, ...missing]),
    };
  }
  return {
    summary: answerOf(found) ?? locator.value.summary,
    references: mergedReferences(found).slice(0, MAX_REFERENCES),
    key_findings: [...(found.isTight === true ? [] : placesOf(found)), ...found.history],
    confidence: locator.value.confidence,
    notes: joined([locator.value.notes, ...missing]),
  };
}

/** The answer in a sentence. A place is named by its file and its scope: the line is in the references (X-68). */
function answerOf({ files, findings, bodies, roots, isTight }: Found): string | undefined {
  const named = bodies.filter(({ kind, name }) => kind === "function" && name !== "");
  const [body] = named;
  if (body !== undefined && body === bodies[0]) {
    const others = isTight === true ? [] : named.slice(1);
    const also = [...new Set(others.map((other) => placeOf(other, body, roots)))].slice(0, 2);
    return `${scopeOf(body)} in ${toReference(body.file, roots)}${also.length === 0 ? "" : `; also ${also.join(", ")}`}.`;
  }
  const [best] = findings.filter(({ kind }) => kind === "evidence");
  const [first] = files;
  if (best !== undefined)
    return `${best.scope === "" ? "Best match" : best.scope} in ${best.reference.replace(/:\d+$/, "")}.`;
  if (first === undefined) return undefined;
  const scope = first.lines[0]?.scope ?? "";
  return `${scope === "" ? "Best match:" : `${scope} in`} ${toReference({ root: first.root, path: first.path }, roots)}.`;
}

function placeOf(body: RankedBody, best: RankedBody, roots: readonly ResearchRoot[]): string {
  const isSameFile = body.file.path === best.file.path && body.file.root === best.file.root;
  return isSameFile ? scopeOf(body) : `${scopeOf(body)} in ${toReference(body.file, roots)}`;
}

/** Where to go in, what is set where, which tests: by the part that a file plays. */
function placesOf({ files, roots }: Found): string[] {
  const of = (part: LocatedFile["part"], label: string): string[] => {
    const names = files
      .slice(1)
      .filter((file) => file.part === part)
      .slice(0, 2)
      .map(({ root, path }) => toReference({ root, path }, roots));
    return names.length === 0 ? [] : [`${label}: ${names.join(", ")}`];
  };
  return [...of("entry", "entry points"), ...of("config", "config"), ...of("tests", "tests")];
}

function mergedReferences({ locator, analyzer, patterns }: Found): string[] {
  const all = [analyzer, locator, patterns].flatMap((role) => (role?.status === "ok" ? role.value.references : []));
  return [...new Set(all)];
}

function unfinished({ locator, analyzer, patterns }: Found): string[] {
  return Object.entries({ locator, analyzer, patterns }).flatMap(([role, outcome]) =>
    outcome === undefined || outcome.status === "ok" ? [] : [`${role}: ${outcome.status} (${outcome.error.name})`],
  );
}

function joined(notes: readonly (string | null)[]): string | null {
  const distinct = [...new Set(notes.filter((note) => note !== null && note !== ""))];
  return distinct.length === 0 ? null : distinct.join("; ").slice(0, 500);
}
