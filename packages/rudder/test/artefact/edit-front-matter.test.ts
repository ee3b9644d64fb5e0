// Edits of hand-written front matter: what was asked for changes, and not one other line does.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { editFront, type FrontEdit, toItems, toYamlScalar } from "../../src/artefact/edit-front-matter.ts";
import { parseFront, splitArtefact } from "../../src/artefact/front-matter.ts";
import { CORPUS } from "./corpus.ts";

const EDITS: Readonly<Record<string, FrontEdit>> = {
  "sets status": { kind: "set", field: "status", value: "In Progress" },
  "sets assignee": { kind: "set", field: "assignee", value: "ada: the first" },
  "sets a title with a line end": { kind: "set", field: "title", value: "two\nlines # and no comment" },
  "sets a new field": { kind: "set", field: "done_at", value: "2026-01-02T03:04:05.678Z" },
  "adds a blocker": { kind: "add", field: "blocked_by", item: "T999" },
  "adds a tag": { kind: "add", field: "tags", item: "c, d" },
  "removes a blocker": { kind: "remove", field: "blocked_by", matches: (item) => item === "T002" },
  "removes the last blocker": { kind: "remove", field: "blocked_by", matches: (item) => item === "T003" },
  "removes all blockers": { kind: "remove", field: "blocked_by", matches: () => true },
  "puts a target version": { kind: "put", field: "target_versions", key: "core", value: "2.10" },
  "puts a new target version": { kind: "put", field: "target_versions", key: "cli", value: "1.0" },
};

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseFront(splitArtefact(text));
  if (!parsed.ok) throw new Error(`line ${parsed.problem.line}: ${parsed.problem.message}`);
  return parsed.fields;
}

/** Lines of `before` that are missing in `after`, in order: the cost of the edit. */
function lost(before: string, after: string): string[] {
  const left = after.split("\n");
  return before.split("\n").filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe.each(Object.entries(CORPUS))("RU-05 the artefact %s", (_name, text) => {
  it.each(Object.entries(EDITS))("RU-05 %s and changes only the lines of that field", (_words, edit) => {
    const before = fieldsOf(text);
    const result = editFront(text, [edit], "a.md");
    const after = fieldsOf(result);
    const { [edit.field]: _old, ...othersBefore } = before;
    const { [edit.field]: value, ...othersAfter } = after;
    expect(othersAfter).toEqual(othersBefore);
    if (edit.kind === "set") expect(value).toBe(edit.value);
    if (edit.kind === "add") expect(toItems(value).at(-1)).toBe(edit.item);
    if (edit.kind === "remove") expect(toItems(value).some((item) => edit.matches(String(item)))).toBe(false);
    if (edit.kind === "put") expect(value).toMatchObject({ [edit.key]: edit.value });

    const { bodyStart } = splitArtefact(text);
    expect(result.endsWith(text.slice(bodyStart))).toBe(true);
    const gone = lost(text, result);
    // One line for a value, or as many as its own lines were; never a comment line, never another field's.
    const own = ownLines(text, edit.field);
    for (const line of gone) expect(own).toContain(line);
    expect(gone.filter((line) => /^\s*#/.test(line))).toEqual([]);
    if (text.includes("\r\n")) expect(result.replaceAll("\r\n", "")).not.toContain("\n");
  });
});

/** From a field's key to the line before the next key. */
function ownLines(text: string, field: string): string[] {
  const lines = text.split("\n");
  const isKey = (line: string): boolean =>
    /^(?:\s{0,2})["']?[A-Za-z_-]+["']?\s*:/.test(line) && !/^\s+(?:core|ui):/.test(line);
  const at = lines.findIndex((line) => new RegExp(`^\\s*["']?${field}["']?\\s*:`).test(line));
  if (at < 0) return [];
  const end = lines.findIndex((line, index) => index > at && (isKey(line) || /^(?:---|\.\.\.)/.test(line)));
  return lines.slice(at, end);
}

describe("front matter", () => {
  it("RU-05 an edit that changes nothing leaves the text byte for byte", () => {
    for (const text of Object.values(CORPUS)) {
      const { status } = fieldsOf(text);
      if (typeof status !== "string") continue;
      expect(editFront(text, [{ kind: "set", field: "status", value: status }], "a.md")).toBe(text);
      expect(editFront(text, [{ kind: "remove", field: "tags", matches: () => false }], "a.md")).toBe(text);
    }
  });

  it("RU-05 setting a value and setting it back gives the same bytes", () => {
    const text = CORPUS.comments ?? "";
    const once = editFront(text, [{ kind: "set", field: "status", value: "Done" }], "a.md");
    expect(editFront(once, [{ kind: "set", field: "status", value: "Not Started" }], "a.md")).toBe(text);
    const more = editFront(text, [{ kind: "add", field: "blocked_by", item: "T009" }], "a.md");
    const less = editFront(more, [{ kind: "remove", field: "blocked_by", matches: (item) => item === "T009" }], "a.md");
    expect(less).toBe(text);
  });

  it("RU-05 any text is one line of YAML that every reader reads as that text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: "grapheme" }),
          fc.constantFrom(
            "yes",
            "1.20",
            "~",
            "- a",
            "a: b",
            "[x",
            "#",
            "null",
            "2026-01-01",
            "'",
            '"',
            "&a",
            "*a",
            "!x",
            "%",
            "@",
            "`$(id)`",
          ),
        ),
        (value) => {
          const line = toYamlScalar(value);
          expect(line).not.toContain("\n");
          expect(parse(`key: ${line}\n`)).toEqual({ key: value });
          expect(parse(`key: [${toYamlScalar(value, true)}, b]\n`)).toEqual({ key: [value, "b"] });
        },
      ),
      { numRuns: 500 },
    );
  });

  it("RU-05 random edits of random corpus files never break a file or another field", () => {
    const step = fc.record({
      name: fc.constantFrom(...Object.keys(EDITS)),
      text: fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== ""),
    });
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(CORPUS)), fc.array(step, { maxLength: 8 }), (start, steps) => {
        let text = start;
        for (const { name, text: value } of steps) {
          const edit = EDITS[name];
          if (edit === undefined) continue;
          const filled: FrontEdit =
            edit.kind === "set" ? { ...edit, value } : edit.kind === "add" ? { ...edit, item: value } : edit;
          const { [edit.field]: _old, ...before } = fieldsOf(text);
          text = editFront(text, [filled], "a.md");
          const { [edit.field]: _new, ...after } = fieldsOf(text);
          expect(after).toEqual(before);
        }
        expect(text.endsWith(start.slice(splitArtefact(start).bodyStart))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["an open bracket", "---\nid: T001\nblocked_by: [T002\nstatus: wip\n---\n", 4],
    ["a bad indent", "---\nid: T001\n title: x\n---\n", 2],
    ["a double key", "---\nid: T001\ntitle: a\nid: T002\n---\n", 4],
    ["a list", "---\n- a\n---\n", 2],
    ["no front matter", "# T001\n", 1],
    ["no end", "---\nid: T001\n", 1],
  ])("RU-05 %s is named with its line", (_words, text, line) => {
    const parsed = parseFront(splitArtefact(text));
    expect(parsed).toMatchObject({ ok: false, problem: { line } });
    expect(() => editFront(text, [{ kind: "set", field: "status", value: "Done" }], "x/T001.md")).toThrow(
      `x/T001.md:${line}: `,
    );
  });
});
