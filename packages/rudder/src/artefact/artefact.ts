// Reads the front matter of artefacts (RU-05, RU-07), leniently: people write these files, so a mistake becomes a
// problem with its place, and the other fields are still read. The file's name gives the id; its field `id` must agree.
import { isRecord } from "@jeeves/base";
import { type Digits, type Kind, normaliseId, readId } from "../ids.ts";
import { readStatus, type Status } from "../statuses.ts";
import { toItems } from "./edit-front-matter.ts";
import { parseFront, splitArtefact } from "./front-matter.ts";
import { readPlainFront } from "./plain-front.ts";

/** The sizes of tasks, the smallest first. */
export const EFFORTS = ["S", "M", "L", "XL"] as const;
export type Effort = (typeof EFFORTS)[number];
/** The priorities of tasks, the lowest first. */
export const PRIORITIES = ["low", "normal", "high", "critical"] as const;
export type Priority = (typeof PRIORITIES)[number];

type ProblemCode =
  | "broken_yaml"
  | "invalid_status"
  | "id_mismatch"
  | "format"
  | "duplicate_id"
  | "missing_parent"
  | "not_a_file";

/**
 * Something wrong with a file of the haven. `path` is relative to the haven; `line` counts from 1, and is absent where
 * none is known.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly path: string;
  readonly line?: number;
}

/** The fields of a PRD, an epic, a task or a story. Where a file has no effort or priority they are M and normal. */
export interface Artefact {
  readonly kind: Kind;
  readonly id: string;
  /** Relative to the haven, with `/`. */
  readonly path: string;
  readonly title: string;
  /** Absent where the file has none, or an unknown one. */
  readonly status?: Status | undefined;
  readonly prd?: string | undefined;
  readonly epic?: string | undefined;
  readonly assignee?: string | undefined;
  readonly effort: Effort;
  readonly priority: Priority;
  readonly blockedBy: readonly string[];
  readonly stories: readonly string[];
  readonly tags: readonly string[];
  readonly targets: Readonly<Record<string, string>>;
  readonly milestone?: string | undefined;
  readonly problems: readonly Problem[];
}

/** What a file's path tells about its artefact. */
export interface ArtefactPlace {
  readonly kind: Kind;
  readonly id: string;
  readonly path: string;
  /** The PRD in whose folder it lies. */
  readonly prd?: string;
}

/**
 * Reads the text of the file at `place`. Never throws: mistakes are in `problems`, and of a file with broken YAML only
 * its place, and a title made of its name, are known.
 */
export function readArtefact(text: string, place: ArtefactPlace, digits: Digits): Artefact {
  const parts = splitArtefact(text);
  const plain =
    parts.bodyStart === parts.frontEnd ? undefined : readPlainFront(text.slice(parts.frontStart, parts.frontEnd));
  const parsed = plain === undefined ? parseFront(parts) : { ok: true as const, fields: plain };
  if (!parsed.ok) {
    const problem = { code: "broken_yaml" as const, path: place.path, ...parsed.problem };
    return toArtefact({ ...place, title: titleFromPath(place.path), problems: [problem] });
  }
  const { fields } = parsed;
  const problems: Problem[] = [];
  const report = (code: ProblemCode, message: string): void => void problems.push({ code, message, path: place.path });
  const word = (name: string): string => {
    const value = fields[name];
    return typeof value === "string" && !/^(?:~|null)$/i.test(value) ? value.trim() : "";
  };
  const id = word("id");
  if (id !== "" && normaliseId(id, digits) !== place.id) report("id_mismatch", `its id is ${id}, its name ${place.id}`);
  const status = readStatus(place.kind, word("status"));
  if (status === undefined && word("status") !== "") {
    report(
      "invalid_status",
      `${JSON.stringify(word("status"))} is no status of ${place.kind === "epic" ? "an" : "a"} ${place.kind}`,
    );
  }
  const ids = (name: string): string[] => readIds(fields[name], { name, digits, report });
  const parent = readParent(word("parent"), { digits, report });
  return toArtefact({
    kind: place.kind,
    id: place.id,
    path: place.path,
    title: word("title") || titleFromPath(place.path),
    status,
    prd: place.prd ?? parent.prd,
    epic: parent.epic,
    assignee: word("assignee") || undefined,
    effort: EFFORTS.find((effort) => effort === word("effort").toUpperCase()),
    priority: PRIORITIES.find((priority) => priority === word("priority").toLowerCase()),
    blockedBy: ids("blocked_by"),
    stories: ids("stories"),
    tags: toItems(fields.tags).map(String),
    targets: readTargets(fields.target_versions),
    milestone: word("milestone") || undefined,
    problems,
  });
}

type Known = Pick<Artefact, "kind" | "id" | "path" | "title"> & {
  readonly [Name in keyof Artefact]?: Artefact[Name] | undefined;
};

const NONE: readonly never[] = [];
const NO_TARGETS = {};

/** Every artefact with the same fields in the same order: code that sees thousands of them is several times faster. */
export function toArtefact(known: Known): Artefact {
  return {
    kind: known.kind,
    id: known.id,
    path: known.path,
    title: known.title,
    status: known.status,
    prd: known.prd,
    epic: known.epic,
    assignee: known.assignee,
    effort: known.effort ?? "M",
    priority: known.priority ?? "normal",
    blockedBy: known.blockedBy ?? NONE,
    stories: known.stories ?? NONE,
    tags: known.tags ?? NONE,
    targets: known.targets ?? NO_TARGETS,
    milestone: known.milestone,
    problems: known.problems ?? NONE,
  };
}

interface Reading {
  readonly digits: Digits;
  readonly report: (code: ProblemCode, message: string) => void;
}

/** An entry that is no id stays as it was written: `deps validate` names it, and it blocks until it is removed. */
function readIds(value: unknown, how: Reading & { readonly name: string }): string[] {
  return toItems(value).map((item) => {
    const written = typeof item === "string" ? item : JSON.stringify(item);
    const id = normaliseId(written, how.digits);
    if (id === undefined) how.report("format", `${how.name} holds ${JSON.stringify(written)}, which is no id`);
    return id ?? written;
  });
}

function readParent(text: string, how: Reading): { readonly prd?: string; readonly epic?: string } {
  const found: { prd?: string; epic?: string } = {};
  for (const part of text.split("/").map((word) => word.trim())) {
    const id = readId(part);
    if (id?.kind === "prd" || id?.kind === "epic") found[id.kind] = normaliseId(part, how.digits) ?? part;
    else if (part !== "") how.report("format", `its parent ${JSON.stringify(text)} is not written PRD-NNN/ENNN`);
  }
  return found;
}

function readTargets(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, version]) => [name, String(version)]));
}

function titleFromPath(path: string): string {
  const name = path.endsWith("/prd.md") ? (path.split("/").at(-2) ?? path) : (path.split("/").at(-1) ?? path);
  return (
    name
      .replace(/\.md$/, "")
      .replace(/^(?:PRD-?|E|T|S)\d+-?/i, "")
      .replaceAll("-", " ") || name
  );
}
