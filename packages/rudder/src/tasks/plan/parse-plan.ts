// A plan as a person writes it: `# PRD`, `## Epic`, `### Task` or `- [ ] task`; below each its fields (`after:`,
// `effort:` …), then its description. Words in, items and problems out; no haven is looked at.
import { oneLine, suggest } from "@jeeves/base";
import { EFFORTS, type Effort, PRIORITIES, type Priority } from "../../artefact/artefact.ts";
import { type Heading, type MarkdownLine, outlineOf } from "../../artefact/markdown-lines.ts";
import type { DocumentProblem } from "../document.ts";
import { splitNames } from "./split-names.ts";

const MAX_TITLE = 500;
const MAX_ITEMS = 5_000;
const BOX = /^( {0,1})[-*+][ \t]+\[([ xX])\](?:[ \t]+(.*))?$/;
const FIELD = /^(?:[-*+][ \t]+)?([A-Za-z][A-Za-z_ -]{0,20}?)[ \t]*:(?:[ \t]+(.*))?$/;

/** What an item waits for, as it is written. */
export interface PlanReference {
  readonly text: string;
  readonly line: number;
}

/** A PRD, an epic or a task of a plan. */
export interface PlanItem {
  readonly kind: "prd" | "epic" | "task";
  readonly title: string;
  readonly line: number;
  /** The number of the epic or the PRD that it belongs to; undefined for the PRD. */
  readonly parent: number | undefined;
  readonly after: readonly PlanReference[];
  readonly effort?: Effort;
  readonly priority?: Priority;
  readonly milestone?: string;
  readonly tags: readonly string[];
  readonly description: string;
}

/** The items of a plan, the PRD first, each after its parent. */
interface ParsedPlan {
  readonly items: readonly PlanItem[];
  readonly problems: readonly DocumentProblem[];
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
interface Draft extends Omit<Mutable<PlanItem>, "after" | "tags" | "description"> {
  after: PlanReference[];
  tags: string[];
  text: string[];
  areFieldsOpen: boolean;
  /** Of `- [ ] task`: the lines below it are indented. */
  isListed: boolean;
}

const FIELDS = { prd: ["tags"], epic: ["after", "tags", "milestone"], task: ["after", "effort", "priority", "tags"] };
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "depends on": "after",
  "blocked by": "after",
  tag: "tags",
};
const ALL_FIELDS = ["after", "effort", "priority", "tags", "milestone", ...Object.keys(OTHER_NAMES)];
const LEVELS = ["prd", "epic", "task"] as const;

/** Reads a plan from its first line to its last; problems are collected, not thrown. */
export function parsePlan(text: string): ParsedPlan {
  const { lines, headings } = outlineOf(text);
  const headingAt = new Map(headings.map((heading) => [heading.start, heading]));
  const drafts: Draft[] = [];
  const problems: DocumentProblem[] = [];
  const report = (line: number, message: string): void => void problems.push({ line, message });
  let current: Draft | undefined;
  let isBlankAbove = false;

  const open = (kind: Draft["kind"], title: string, line: number, isListed = false): void => {
    const words = oneLine(title);
    if (words === "") report(line, `this ${kind} has no title: write it behind the mark`);
    if (words.length > MAX_TITLE) report(line, `a title of ${words.length} characters: at most ${MAX_TITLE}`);
    const parent = parentOf(drafts, kind);
    current = { kind, title: words, line, parent, after: [], tags: [], text: [], areFieldsOpen: true, isListed };
    drafts.push(current);
  };
  const openHeading = (heading: Heading, line: number): void => {
    const kind = LEVELS[heading.level - 1];
    if (kind === undefined) return;
    if (kind === "prd" && drafts.length > 0) report(line, "a second # title: one document is the plan of one PRD");
    else if (kind !== "prd" && drafts.length === 0) report(line, `no PRD yet: the first heading is # and its title`);
    else if (kind === "task" && parentOf(drafts, "task") === undefined) {
      report(line, "a ### task that no epic has: put it below a ## epic");
    } else open(kind, heading.title, line);
  };
  const readLine = (line: MarkdownLine, number: number): void => {
    const box = line.kind === "text" ? BOX.exec(line.text) : null;
    const isTaskBox = box !== null && !(current?.kind === "task" && !current.isListed);
    if (isTaskBox) {
      if (drafts.length === 0) report(number, "no PRD yet: the first heading is # and its title");
      else if (parentOf(drafts, "task") === undefined)
        report(number, "a task that no epic has: put it below a ## epic");
      else if (box[2] !== " ")
        report(number, "a task that is done already: a plan makes new work, so take this line out");
      else open("task", box[3] ?? "", number, true);
      return;
    }
    if (current?.isListed === true && isBlankAbove && line.text !== "" && !/^(?: {2}|\t)/.test(line.text)) {
      // Text that is not indented belongs to the epic again.
      current = drafts[current.parent ?? 0];
      if (current !== undefined) current.areFieldsOpen = false;
      current?.text.push("");
    }
    if (current === undefined) {
      if (line.text !== "") report(number, "text above the title: a plan begins with # and the title of its PRD");
      return;
    }
    addLine(current, { line, number, report });
  };

  let skipTo = 0;
  lines.forEach((line, at) => {
    if (line.start < skipTo) return;
    const heading = headingAt.get(line.start);
    if (heading !== undefined && heading.level <= LEVELS.length) {
      openHeading(heading, at + 1);
      skipTo = heading.end;
    } else readLine(line, at + 1);
    isBlankAbove = line.text === "";
  });
  if (drafts.length === 0 && problems.length === 0) report(1, "the plan is empty: write # and the title of a PRD");
  if (drafts.length > MAX_ITEMS) report(1, `${drafts.length} epics and tasks: at most ${MAX_ITEMS} in one plan`);
  return { items: drafts.map(toItem), problems };
}

function parentOf(drafts: readonly Draft[], kind: Draft["kind"]): number | undefined {
  if (kind === "prd" || drafts.length === 0) return undefined;
  if (kind === "epic") return 0;
  const at = drafts.findLastIndex((draft) => draft.kind === "epic");
  return at < 0 ? undefined : at;
}

interface ReadLine {
  readonly line: MarkdownLine;
  readonly number: number;
  readonly report: (line: number, message: string) => void;
}

/** A field where fields may stand, else a line of the description. */
function addLine(draft: Draft, { line, number, report }: ReadLine): void {
  if (line.text === "" && draft.text.length === 0) return;
  const field = draft.areFieldsOpen && line.kind === "text" ? FIELD.exec(line.text.trim()) : null;
  const written = field?.[1]?.toLowerCase().replace(/[\s_-]+/g, " ") ?? "";
  const name = OTHER_NAMES[written] ?? written;
  if (field !== null && ALL_FIELDS.includes(name)) {
    if (FIELDS[draft.kind].includes(name)) setField(draft, { name, value: (field[2] ?? "").trim(), number, report });
    else report(number, `a ${draft.kind} has no ${name}; it may have: ${FIELDS[draft.kind].join(", ")}`);
    return;
  }
  const meant = field === null || (field[2] ?? "") === "" ? undefined : suggest(written, ALL_FIELDS);
  if (meant !== undefined) {
    report(number, `${JSON.stringify(field?.[1])} is no field; did you mean ${meant}? (text may follow a blank line)`);
  }
  draft.areFieldsOpen = false;
  draft.text.push(draft.isListed ? line.text.replace(/^(?: {1,6}|\t)/, "") : line.text);
}

function setField(
  draft: Draft,
  { name, value, number, report }: Omit<ReadLine, "line"> & { readonly name: string; readonly value: string },
): void {
  if (value === "") report(number, `${name}: says nothing; write it, or take the line out`);
  else if (name === "after") {
    for (const text of splitNames(value)) draft.after.push({ text, line: number });
  } else if (name === "tags") {
    draft.tags.push(...splitNames(value).filter((tag) => !draft.tags.includes(tag)));
  } else if (name === "milestone") draft.milestone = oneLine(value);
  else if (name === "effort") {
    const effort = EFFORTS.find((one) => one === value.toUpperCase());
    if (effort === undefined) report(number, `${JSON.stringify(value)} is no effort; one of: ${EFFORTS.join(", ")}`);
    else draft.effort = effort;
  } else {
    const priority = PRIORITIES.find((one) => one === value.toLowerCase());
    if (priority === undefined) {
      report(number, `${JSON.stringify(value)} is no priority; one of: ${PRIORITIES.join(", ")}`);
    } else draft.priority = priority;
  }
}

function toItem({ text, areFieldsOpen: _open, isListed: _listed, ...item }: Draft): PlanItem {
  return { ...item, description: text.join("\n").trim() };
}
