// The text and the place of a new artefact (RU-04, RU-05, RU-07): front matter with every field that people will want
// to fill in, and the headings that agents look for.
import { oneLine } from "@jeeves/base";
import type { Kind } from "../ids.ts";
import { toFlowList, toYamlScalar } from "./edit-front-matter.ts";

/** The fields of a new artefact; `description` goes below its first heading. */
export interface NewArtefact {
  readonly kind: Exclude<Kind, "story">;
  readonly id: string;
  readonly title: string;
  readonly prd?: string;
  readonly epic?: string;
  readonly effort?: string;
  readonly priority?: string;
  readonly blockedBy?: readonly string[];
  readonly tags?: readonly string[];
  readonly targets?: Readonly<Record<string, string>>;
  readonly milestone?: string;
  readonly description?: string;
}

/** The text of the file: front matter, a title, and the sections of this kind. */
export function toArtefactText(made: NewArtefact): string {
  const front = [`id: ${made.id}`, `title: ${toYamlScalar(made.title)}`, ...FIELDS[made.kind](made)];
  const description = made.description?.trim() ?? "";
  const sections = SECTIONS[made.kind].map((name, index) => {
    const text = index === 0 && description !== "" ? `${description}\n\n` : "";
    return `## ${name}\n\n${text}`;
  });
  return `---\n${front.join("\n")}\n---\n\n# ${made.id}: ${oneLine(made.title)}\n\n${sections.join("").trimEnd()}\n`;
}

const SECTIONS: Readonly<Record<NewArtefact["kind"], readonly string[]>> = {
  prd: ["Problem", "Goals", "Milestones"],
  epic: ["Description", "Acceptance Criteria", "Notes"],
  task: ["Description", "Deliverables", "Notes"],
};

const FIELDS: Readonly<Record<NewArtefact["kind"], (made: NewArtefact) => readonly string[]>> = {
  prd: (made) => ["status: Draft", "branching: flat", `tags: ${toFlowList(made.tags ?? [])}`, "milestones: []"],
  epic: (made) => [
    `parent: ${made.prd ?? ""}`,
    "status: Not Started",
    made.milestone === undefined ? "milestone:" : `milestone: ${toYamlScalar(made.milestone)}`,
    `blocked_by: ${toFlowList(made.blockedBy ?? [])}`,
    "stories: []",
    `tags: ${toFlowList(made.tags ?? [])}`,
    `target_versions: ${toFlowMap(made.targets ?? {})}`,
  ],
  task: (made) => [
    `parent: ${made.prd ?? ""}/${made.epic ?? ""}`,
    "status: Not Started",
    "assignee:",
    `effort: ${made.effort ?? "M"}`,
    `priority: ${made.priority ?? "normal"}`,
    `blocked_by: ${toFlowList(made.blockedBy ?? [])}`,
    "stories: []",
    `tags: ${toFlowList(made.tags ?? [])}`,
    `target_versions: ${toFlowMap(made.targets ?? {})}`,
    "started_at:",
    "done_at:",
    "blocked_at:",
    "cancelled_at:",
  ],
};

function toFlowMap(entries: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(entries).map(
    ([key, value]) => `${toYamlScalar(key, true)}: ${toYamlScalar(value, true)}`,
  );
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** ASCII letters, digits and dashes only: a title is a person's words and must never become a path. */
export function toSlug(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return (
    words
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 48)
      .replace(/-+$/, "") || "untitled"
  );
}
