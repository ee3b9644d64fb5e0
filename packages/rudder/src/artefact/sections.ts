// Sections of a Markdown body by their headings, and edits inside one. Lines that are not edited keep their
// bytes; headings inside code fences are text.
import { oneLine } from "@jeeves/base";
import { RudderError } from "../rudder-error.ts";

export type SectionEdit =
  | { readonly kind: "append"; readonly text: string }
  | { readonly kind: "prepend"; readonly text: string }
  | { readonly kind: "replace"; readonly text: string };

interface Heading {
  readonly level: number;
  readonly title: string;
  /** Offsets of the heading's line, its end included. */
  readonly start: number;
  readonly end: number;
}

export function headingsOf(body: string): Heading[] {
  const found: Heading[] = [];
  let fence = "";
  for (let at = 0; at < body.length; ) {
    const newline = body.indexOf("\n", at);
    const end = newline < 0 ? body.length : newline + 1;
    const line = body.slice(at, end).trimEnd();
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
    } else if (mark !== "") {
      fence = mark;
    } else {
      const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?$/.exec(line);
      if (heading !== null) {
        found.push({ level: heading[1]?.length ?? 1, title: (heading[2] ?? "").trim(), start: at, end });
      }
    }
    at = end;
  }
  return found;
}

export interface Section {
  readonly title: string;
  readonly headingStart: number;
  readonly start: number;
  /** Where its own text ends: at the next heading, whatever its level. */
  readonly end: number;
  /** Where it ends with its subsections. */
  readonly outerEnd: number;
}

export function findSection(body: string, title: string): Section | undefined {
  const headings = headingsOf(body);
  const wanted = fold(title);
  const index = headings.findIndex((heading) => fold(heading.title) === wanted);
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

export function requireSection(body: string, title: string, id: string): Section {
  const section = findSection(body, title);
  if (section !== undefined) return section;
  const titles = headingsOf(body).map((heading) => heading.title);
  throw new RudderError("not_found", `${id} has no section ${JSON.stringify(title)}`, {
    hint: titles.length === 0 ? `rudder artifact edit ${id} --section … makes one` : `it has: ${titles.join(", ")}`,
    details: { sections: titles },
  });
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
    const gap = body === "" ? "" : body.endsWith("\n") ? (/\n\r?\n$/.test(body) ? "" : eol) : eol + eol;
    return `${body}${gap}## ${oneLine(edit.section)}${eol}${eol}${text}${eol}`;
  }
  const own = body.slice(section.start, section.end);
  const head = body.slice(section.headingStart, section.start).endsWith("\n") ? "" : eol;
  const before = body.slice(0, section.start) + head;
  const after = body.slice(section.end);
  const tail = after === "" ? "" : eol;
  if (own.trim() === "" || edit.kind === "replace") return `${before}${eol}${text}${eol}${tail}${after}`;
  if (edit.kind === "prepend") {
    const lead = /^(?:[ \t]*\r?\n)*/.exec(own)?.[0] ?? "";
    return `${before}${lead === "" ? eol : lead}${text}${eol}${own.slice(lead.length)}${after}`;
  }
  const kept = own.replace(/\s+$/, "");
  const rest = own.slice(kept.length);
  // The line end that was there stays where it is: only the new lines are new.
  const firstEnd = /^[^\n]*\n/.exec(rest)?.[0];
  const line = firstEnd ?? rest + eol;
  return `${before}${kept}${line}${text}${eol}${firstEnd === undefined ? "" : rest.slice(line.length)}${after}`;
}

/** Headings with nothing below them say nothing. */
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
