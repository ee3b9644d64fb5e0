// Memory that people and agents keep as Markdown (RU-10): of an epic, a PRD, or the project. Words and headings only;
// the files are the store's.
import { editSection } from "../artefact/sections.ts";
import { RudderError } from "../rudder-error.ts";

const EPIC_MEMORY = ["Agent Context", "Escalation", "Changelog"] as const;
const PRD_MEMORY = ["Cross-Epic Patterns", "Decisions", "Escalation"] as const;
/** The sections of the project's memory. */
export const PROJECT_MEMORY = ["Architecture Decisions", "Patterns & Conventions", "Lessons Learned"] as const;

function memorySectionsOf(id: string): readonly string[] {
  if (id === "project") return PROJECT_MEMORY;
  return id.startsWith("PRD-") ? PRD_MEMORY : EPIC_MEMORY;
}

/** A page with a title and empty sections. */
export function toMemoryText(sections: readonly string[], title: string): string {
  return `# ${title}\n\n${sections.map((name) => `## ${name}\n`).join("\n")}`;
}

/**
 * One more bullet in a section; the first section where none was named. Throws `invalid_argument` for another section.
 */
export function addToMemory(
  text: string | undefined,
  added: { readonly id: string; readonly section?: string | undefined; readonly text: string },
): string {
  const sections = memorySectionsOf(added.id);
  const wanted = added.section ?? sections[0] ?? "";
  const section = sections.find((name) => name.toLowerCase() === wanted.trim().toLowerCase());
  if (section === undefined) {
    throw new RudderError("invalid_argument", `the memory of ${added.id} has no section ${JSON.stringify(wanted)}`, {
      hint: `one of: ${sections.join(", ")}`,
    });
  }
  const page = text ?? toMemoryText(sections, added.id === "project" ? "Project memory" : `Memory of ${added.id}`);
  const eol = page.includes("\r\n") ? "\r\n" : "\n";
  const bullet = `- ${added.text.trim().replace(/\r?\n/g, "\n  ")}`;
  return editSection(page, { kind: "append", section, text: bullet }, { eol });
}
