// Sections of a Markdown body by their headings, and edits inside one. Lines that are not edited keep their
// bytes; what is a heading is decided in markdown-lines.ts.
import { oneLine } from "@jeeves/base";
import { RudderError } from "../rudder-error.ts";
import { type Heading, outlineOf } from "./markdown-lines.ts";

/** What to do with the own text of a section. */
export type SectionEdit =
  | { readonly kind: "append"; readonly text: string }
  | { readonly kind: "prepend"; readonly text: string }
  | { readonly kind: "replace"; readonly text: string };

/** The headings that open sections: none in code, HTML, quotes or list items. */
export function headingsOf(body: string): readonly Heading[] {
  return outlineOf(body).headings;
}

/** A section by the offsets of its parts. */
export interface Section {
  readonly title: string;
  readonly headingStart: number;
  readonly start: number;
  /** Where its own text ends: at the next heading, whatever its level. */
  readonly end: number;
  /** Where it ends with its subsections. */
  readonly outerEnd: number;
}

/** The first section of this title, in any case; undefined where there is none. */
export function findSection(body: string, title: string): Section | undefined {
  const headings = headingsOf(body);
  const index = headings.findIndex(hasTitle(title, headings));
  const heading = headings[index];
  if (heading === undefined) return undefined;
  const outer = headings.slice(index + 1).find((later) => later.level <= heading.level);
  return {
    title: heading.title,
    headingStart: heading.start,
    start: heading.end,
    end: headings[index + 1]?.start ?? body.length,
    outerEnd: outer?.start ?? body.length,
  };
}

/** The same; throws `not_found` with the titles that there are. */
export function requireSection(body: string, title: string, id: string): Section {
  const section = findSection(body, title);
  if (section !== undefined) return section;
  const titles = headingsOf(body).map((heading) => heading.title);
  throw new RudderError("not_found", `${id} has no section ${JSON.stringify(title)}`, {
    hint: titles.length === 0 ? `rudder artifact edit ${id} --section … makes one` : `it has: ${titles.join(", ")}`,
    details: { sections: titles },
  });
}

/** How many sections have this title, in any case. */
export function countSections(body: string, title: string): number {
  const headings = headingsOf(body);
  return headings.filter(hasTitle(title, headings)).length;
}

/** A title as it stands, or else as a heading of it would be read: CommonMark takes `#` off its end. */
function hasTitle(title: string, headings: readonly Heading[]): (heading: Heading) => boolean {
  const asGiven = fold(title);
  const asRead = fold(readTitle(title));
  const wanted = headings.some((heading) => fold(heading.title) === asGiven) ? asGiven : asRead;
  return (heading) => wanted !== "" && fold(heading.title) === wanted;
}

function readTitle(title: string): string {
  return headingsOf(`## ${oneLine(title)}\n`)[0]?.title ?? "";
}

/** A section that is missing is made, at the end. */
export function editSection(
  body: string,
  edit: SectionEdit & { readonly section: string },
  how: { readonly eol: string },
): string {
  const { eol } = how;
  const text = edit.text.replace(/\r?\n/g, eol).replace(/(?:\r?\n)+$/, "");
  const section = findSection(body, edit.section);
  if (section === undefined) {
    if (readTitle(edit.section) === "") {
      throw new RudderError(
        "invalid_argument",
        `${JSON.stringify(edit.section)} is no title: a heading of it is empty`,
        {
          hint: "a word or more, like Notes",
        },
      );
    }
    const gap = body === "" ? "" : body.endsWith("\n") ? (/\n\r?\n$/.test(body) ? "" : eol) : eol + eol;
    return `${body}${gap}## ${oneLine(edit.section)}${eol}${eol}${text}${eol}`;
  }
  const own = body.slice(section.start, section.end);
  const head = body.slice(section.headingStart, section.start).endsWith("\n") ? "" : eol;
  const before = body.slice(0, section.start) + head;
  const after = body.slice(section.end);
  const edited = editOwnText(own, { ...edit, text }, { eol, before, isLast: after === "" });
  // A line of text right above an underlined heading would become a part of it.
  const isOpenEnded = headingsOf(after)[0]?.isSetext === true && !/\n\r?\n$/.test(edited);
  const changed = isOpenEnded ? edited + eol : edited;
  requireSameSections(after, before + changed, edit.section);
  return before + changed + after;
}

interface Surroundings {
  readonly eol: string;
  /** The body above the section's own text. */
  readonly before: string;
  readonly isLast: boolean;
}

function editOwnText(own: string, edit: SectionEdit, { eol, before, isLast }: Surroundings): string {
  const { text } = edit;
  if (own.trim() === "" || edit.kind === "replace") return `${eol}${text}${eol}${isLast ? "" : eol}`;
  if (edit.kind === "prepend") {
    const lead = /^(?:[ \t]*\r?\n)*/.exec(own)?.[0] ?? "";
    const added = `${lead === "" ? eol : lead}${text}${eol}`;
    const rest = own.slice(lead.length);
    return added + gapBetween(before + added, rest, eol) + rest;
  }
  const kept = own.replace(/\s+$/, "");
  const rest = own.slice(kept.length);
  // The line end that was there stays where it is: only the new lines are new.
  const firstEnd = /^[^\n]*\n/.exec(rest)?.[0];
  const line = firstEnd ?? rest + eol;
  const gap = gapBetween(before + kept + line, text, eol);
  return `${kept}${line}${gap}${text}${eol}${firstEnd === undefined ? "" : rest.slice(line.length)}`;
}

/**
 * An empty line where two texts without one would be something else: `---` below a line of text makes a heading of it,
 * and what follows `</details>` is HTML, too.
 */
function gapBetween(upper: string, lower: string, eol: string): string {
  const readWith = (gap: string): string => {
    const from = upper.length + gap.length;
    const { lines, headings } = outlineOf(upper + gap + lower);
    const kinds = lines.filter(({ start }) => start >= from).map(({ kind }) => kind);
    const opened = headings.map(({ start, end, level }) => [level, start - from, end - from]);
    return JSON.stringify([kinds, opened.filter(([, , end = 0]) => end > 0)]);
  };
  return readWith("") === readWith(eol) ? "" : eol;
}

/** A text that leaves a fence or a comment open, or that runs into an underlined heading, would take sections along. */
function requireSameSections(after: string, before: string, section: string): void {
  const shift = before.length;
  const wanted = headingsOf(after);
  const found = headingsOf(before + after).filter((heading) => heading.end > shift);
  const isSame = found.every((heading, index) => {
    const other = wanted[index];
    return other !== undefined && heading.start === other.start + shift && heading.end === other.end + shift;
  });
  if (isSame && found.length === wanted.length) return;
  throw new RudderError("invalid_argument", `this text would take in what comes after ${JSON.stringify(section)}`, {
    hint: "close its code fence (```), its comment (-->) or its HTML tag, and end it with an empty line",
    details: { section, next: wanted[0]?.title ?? null },
  });
}

/** The body without headings that have nothing below them. */
export function withoutEmptySections(body: string): string {
  const headings = headingsOf(body);
  let text = body.slice(0, headings[0]?.start ?? body.length);
  headings.forEach((heading, index) => {
    const next = headings[index + 1];
    const own = body.slice(heading.start, next?.start ?? body.length);
    const isEmpty = own.slice(heading.end - heading.start).trim() === "" && (next?.level ?? 0) <= heading.level;
    if (!isEmpty) text += own;
  });
  return text.trim();
}

function fold(title: string): string {
  return oneLine(title).toLowerCase();
}
