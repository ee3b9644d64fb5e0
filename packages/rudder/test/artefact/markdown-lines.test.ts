// What only looks like a heading or a box is none, and an edit of one section leaves every byte of the others.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxesOf, findBox } from "../../src/artefact/boxes.ts";
import { outlineOf } from "../../src/artefact/markdown-lines.ts";
import { editSection, findSection, headingsOf } from "../../src/artefact/sections.ts";
import { RudderError } from "../../src/rudder-error.ts";
import { projectForTest, taskPath, taskText } from "../haven-under-test.ts";

const titlesOf = (body: string): string[] => headingsOf(body).map(({ level, title }) => `${level} ${title}`);

describe("headings", () => {
  it("X-26 a heading in a comment was taken for a section, and another section's text was deleted", () => {
    const body =
      "## Description\n\n<!-- template:\n## Notes\n-->\n\nThe description goes on.\n\n## Notes\n\nold\n\n## Later\n\nx\n";
    expect(titlesOf(body)).toEqual(["2 Description", "2 Notes", "2 Later"]);
    const edited = editSection(body, { kind: "replace", section: "Notes", text: "x" }, { eol: "\n" });
    expect(edited).toBe(body.replace("\nold\n", "\nx\n"));
  });

  it("X-26 Setext headings were not seen", () => {
    const body = "Top\n===\n\nintro\n\nNotes\n-----\n\nold\n\nTwo\nlines\n---\n\nx\n\n***\n";
    expect(titlesOf(body)).toEqual(["1 Top", "2 Notes", "2 Two lines"]);
    const edited = editSection(body, { kind: "append", section: "notes", text: "new" }, { eol: "\n" });
    expect(edited).toBe(body.replace("old\n", "old\nnew\n"));
  });

  it.each([
    ["a fence in another fence's signs", "~~~\n```\n## x\n~~~\n## a\n", ["2 a"]],
    ["a fence with words behind it does not close", "```\n``` no\n## x\n```\n## a\n", ["2 a"]],
    ["a shorter fence does not close", "````\n```\n## x\n````\n## a\n", ["2 a"]],
    ["indented code", "text\n\n    ## x\n\n    y\n    ---\n\n## a\n", ["2 a"]],
    ["a rule, no underline", "text\n\n---\n\n- item\n---\n\n> quote\n---\n", []],
    ["a table", "a | b\n--- | ---\n1 | 2\n", []],
    ["HTML that is still open", "<details>\n## x\n</details>\n\n## a\n", ["2 a"]],
    ["a script", "<script>\n\n## x\n\n</script>\n## a\n", ["2 a"]],
    ["a list item's own heading", "- item\n\n  ## x\n\n## a\n", ["2 a"]],
    ["a list item's own fence", "- item\n\n  ```\n  ## x\n## a\n", ["2 a"]],
    ["a comment on one line", "<!-- ## x -->\n## a ##\n##\n#x\n", ["2 a", "2 "]],
    ["CRLF", "Top\r\n===\r\n\r\n<!--\r\n## x\r\n-->\r\n## a\r\n", ["1 Top", "2 a"]],
  ])("X-26 %s", (_, body, titles) => {
    expect(titlesOf(body)).toEqual(titles);
  });

  it("X-26 every line is in the outline once, whatever the body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (body) => {
        const { lines } = outlineOf(body);
        expect(lines.map(({ start, end }) => body.slice(start, end)).join("")).toBe(body);
      }),
    );
  });
});

describe("edits", () => {
  const piece = fc.constantFrom(
    ...["# A", "## Notes", "## B", "### C", "Notes", "Other", "=====", "---", "", "", "text", "```", "~~~", "<!-- x"],
    ...["-->", "<!-- y -->", "    code", "- [ ] box", "  ## in item", "> quote", "<details>", "</details>"],
  );
  const kind = fc.constantFrom("append" as const, "prepend" as const, "replace" as const);
  const lines = fc.array(piece, { maxLength: 14 });

  it("X-26 an edit of one section never changes a byte of another, or is refused", () => {
    let refused = 0;
    fc.assert(
      fc.property(
        lines,
        kind,
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("\n", "\r\n"),
        (...given) => {
          const [pieces, how, words, eol] = given;
          const body = pieces.join(eol);
          const section = findSection(body, "Notes");
          if (section === undefined) return;
          const edit = { kind: how, section: "Notes", text: words.join("\n") };
          let edited: string;
          try {
            edited = editSection(body, edit, { eol });
          } catch (error) {
            if (!(error instanceof RudderError)) throw error;
            refused += 1;
            return;
          }
          const after = body.slice(section.end);
          expect(edited.startsWith(body.slice(0, section.start))).toBe(true);
          expect(edited.endsWith(after)).toBe(true);
          // The sections behind it are still sections, and still the same.
          const count = headingsOf(after).length;
          const titles = headingsOf(edited).map(({ title }) => title);
          if (count > 0) expect(titles.slice(-count)).toEqual(headingsOf(after).map(({ title }) => title));
          const kept = body.slice(section.start, section.end).trim();
          if (how !== "replace") expect(edited).toContain(kept);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it("X-26 a text that leaves a fence open is refused: the sections below would be code", () => {
    const body = "## Notes\n\nold\n\n## Later\n\nx\n";
    for (const text of ["```\ncode", "<!-- note", "~~~"]) {
      const edit = { kind: "append" as const, section: "Notes", text };
      expect(() => editSection(body, edit, { eol: "\n" })).toThrow(/would take in what comes after "Notes"/);
    }
  });
});

describe("boxes", () => {
  it("RU-15 boxes in code and comments made check ambiguous", () => {
    const body =
      "- [ ] code\n\n```md\n- [ ] code\n```\n\n<!--\n- [x] code\n-->\n\ntext\n\n    - [ ] code\n\n- list\n\n    - [ ] nested\n";
    expect(boxesOf(body).map(({ text }) => text)).toEqual(["code", "nested"]);
    expect(findBox(body, "code", "T042").at).toBe(3);
  });
});

describe("front matter", () => {
  it("X-26 front matter that nothing closes was appended to: edit and check refuse it by name", async () => {
    const test = await projectForTest(1);
    const text = taskText(1).replace("\n---\n", "\n");
    test.write(taskPath(1), text);
    for (const argv of [
      ["artifact", "edit", "T001", "--section", "Notes", "--append", "x"],
      ["artifact", "check", "T001", "code"],
    ]) {
      const refused = await test.run(argv);
      expect(refused.exitCode).toBe(1);
      expect(refused.json).toMatchObject({ error: { code: "broken_artefact" } });
      expect(refused.text).toContain("never closed by a line ---");
    }
    expect(test.read(taskPath(1))).toBe(text);
  });
});
