// The lines of an export, one JSON value each: a head with the schema's version, then counters, artefacts, memory pages
// and log lines. Untrusted when it comes in: a record's path must be the one that its id may have.
import { z } from "zod";
import { KINDS, readId } from "../../ids.ts";
import { LEVELS } from "../../memory/log-line.ts";
import type { DocumentProblem } from "../document.ts";

/** Raised when older versions could not read what is written. */
const EXPORT_VERSION = 1;

const count = z.number().int().min(0).max(999_999_999);
const id = z.string().refine((text) => readId(text) !== undefined, "it is no id like T042");
/** Of a file in UTF-8, which no half of a character (`"\ud800"`) is in: it would come out as another one. */
const words = z.string().refine((text) => !/\p{Surrogate}/u.test(text), "a half of a character is no text");

const headRecord = z.strictObject({ type: z.literal("rudder-export"), version: z.number().int().min(1) });
const countersRecord = z.strictObject({
  type: z.literal("counters"),
  counters: z.strictObject({ prd: count, epic: count, task: count, story: count }),
});
const artefactRecord = z
  .strictObject({
    type: z.literal("artefact"),
    id,
    kind: z.enum(KINDS),
    archived: z.boolean(),
    path: words,
    text: words,
  })
  .superRefine((record, context) => {
    const problem = wrongPlace(record);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem, path: ["path"] });
  });
const memoryRecord = z.strictObject({
  type: z.literal("memory"),
  id: z.union([z.literal("project"), id]),
  text: words,
});
const logRecord = z.strictObject({
  type: z.literal("log"),
  id: id.refine((text) => ["task", "epic"].includes(readId(text)?.kind ?? ""), "only tasks and epics have a log"),
  line: z.strictObject({
    at: z.string().regex(/^\S*$/, "a time has no spaces"),
    level: z.enum(LEVELS),
    message: z.string(),
    taskId: id.optional(),
    files: z.array(z.string()).optional(),
    snippet: z.string().optional(),
    command: z.string().optional(),
    by: z.string().optional(),
  }),
});
const anyRecord = z.discriminatedUnion("type", [countersRecord, artefactRecord, memoryRecord, logRecord]);

const TYPES = ["counters", "artefact", "memory", "log"] as const;

/** One record of an export, without its head. */
export type ExportRecord = z.infer<typeof anyRecord>;
/** An artefact with its text, live or archived. */
export type ArtefactRecord = z.infer<typeof artefactRecord>;

/** A record and the line that it stands on. */
export interface ReadRecord {
  readonly line: number;
  readonly record: ExportRecord;
}

/** The records of an export; lines that are none are problems, and an artefact that comes twice is one. */
export function readRecords(text: string): {
  readonly records: readonly ReadRecord[];
  readonly problems: readonly DocumentProblem[];
  /** It begins as an export does; else no line of it says anything. */
  readonly isExport: boolean;
} {
  const records: ReadRecord[] = [];
  const problems: DocumentProblem[] = [];
  const lineOf = new Map<string, number>();
  let hasHead = false;
  let isExport = false;
  const read = (value: unknown, line: number): string | undefined => {
    if (!hasHead) {
      hasHead = true;
      const wrong = wrongHead(value);
      isExport = wrong === undefined;
      return wrong;
    }
    if (value === undefined) return "this line is not JSON";
    const parsed = anyRecord.safeParse(value, { error: wordsOf });
    if (!parsed.success) return reasonOf(parsed.error);
    const record = parsed.data;
    if (record.type === "artefact" || record.type === "memory") {
      const key = `${record.type} ${numberOf(record.id)}`;
      const first = lineOf.get(key);
      if (first !== undefined) return `the ${record.type} of ${record.id} is on line ${first} already`;
      lineOf.set(key, line);
    }
    records.push({ line, record });
    return undefined;
  };
  text.split("\n").forEach((written, at) => {
    if (written.trim() === "") return;
    const message = read(parseLine(written), at + 1);
    if (message !== undefined) problems.push({ line: at + 1, message });
  });
  if (!hasHead) problems.push({ line: 1, message: `it is empty; the first line is ${JSON.stringify(toHead())}` });
  return { records, problems, isExport };
}

/** The first line of an export. */
export function toHead(): z.infer<typeof headRecord> {
  return { type: "rudder-export", version: EXPORT_VERSION };
}

function wrongHead(value: unknown): string | undefined {
  const head = headRecord.safeParse(value);
  if (!head.success) return `this is no export of rudder; its first line is ${JSON.stringify(toHead())}`;
  const { version } = head.data;
  if (version <= EXPORT_VERSION) return undefined;
  return `version ${version} of the form; this rudder reads up to ${EXPORT_VERSION}: use a newer one`;
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of zod's own messages, those that a line can bring about, in plain words. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_union") return `it is one of ${TYPES.join(", ")}`;
  if (issue.code === "invalid_type")
    return issue.path?.length ? `it is no ${issue.expected}` : "this line is no record";
  if (issue.code === "invalid_value") return `it is one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `it is less than ${issue.minimum}`;
  if (issue.code === "too_big") return `it is more than ${issue.maximum}`;
  if (issue.code === "unrecognized_keys") return `no record has ${issue.keys.join(", ")}`;
  return undefined;
}

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return `${where}${issue?.message ?? "it is no record"}`;
}

function numberOf(text: string): string {
  const read = readId(text);
  return read === undefined ? text : `${read.kind} ${read.number}`;
}

const PATH =
  /^(archive\/)?artefacts\/prds\/(PRD-?\d{1,9})(?:-[^/\\\p{Cc}]*)?\/(?:prd\.md|(epics|tasks|stories)\/([EST]\d{1,9})(?:-[^/\\\p{Cc}]*)?\.md)$/u;
/** What a file system takes as one name, and as all of them. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 400;
const FOLDERS: Readonly<Record<string, string>> = { epics: "epic", tasks: "task", stories: "story" };

/** Why the path of a record is wrong; undefined where it is right. */
function wrongPlace(record: {
  readonly id: string;
  readonly kind: string;
  readonly archived: boolean;
  readonly path: string;
}): string | undefined {
  const found = PATH.exec(record.path);
  if (found === null) return "it is no path of an artefact in a haven";
  const isLong = record.path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (isLong || Buffer.byteLength(record.path) > MAX_PATH_BYTES) return "it is too long for a path";
  const [, inArchive, prd = "", folder, name] = found;
  const read = readId(name ?? prd);
  const kind = folder === undefined ? "prd" : FOLDERS[folder];
  if (kind !== record.kind || read?.kind !== kind)
    return `it is no path of ${record.kind === "epic" ? "an" : "a"} ${record.kind}`;
  if (numberOf(name ?? prd) !== numberOf(record.id)) return `it is not the path of ${record.id}`;
  return (inArchive !== undefined) === record.archived ? undefined : "it does not agree with archived";
}
