// Sections and boxes of a body: one part changes, the other bytes stay.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxesOf, findBox, setBox } from "../../src/artefact/boxes.ts";
import { editSection, findSection, headingsOf, withoutEmptySections } from "../../src/artefact/sections.ts";

const BODY =
  "# T042\n\nintro\n\n## Notes\n\nfirst\n\n### Deep\n\ndeep\n\n```sh\n## not a heading\n```\n\n## Later\n\nx\n";
const edit = (body: string, kind: "append" | "prepend" | "replace", text: string, section = "Notes", eol = "\n") =>
  editSection(body, { kind, section, text }, { eol });

describe("sections", () => {
  it("X-26 a text is appended to the section's own text, before its subsections", () => {
    expect(edit(BODY, "append", "Added new note")).toBe(BODY.replace("first\n", "first\nAdded new note\n"));
  });

  it("X-26 a text is prepended", () => {
    expect(edit(BODY, "prepend", "Zeroth")).toBe(BODY.replace("first\n", "Zeroth\nfirst\n"));
  });

  it("X-26 an appended --- made a heading of the line above it: an empty line comes between", () => {
    const body = "## Notes\n\nold\n\n## Later\n";
    for (const rule of ["---", "===", "---\nnew"]) {
      const edited = edit(body, "append", rule);
      expect(edited).toBe(`## Notes\n\nold\n\n${rule}\n\n## Later\n`);
      expect(headingsOf(edited).map(({ title }) => title)).toEqual(["Notes", "Later"]);
    }
    const ruled = edit("## Notes\n\n---\nold\n", "prepend", "new");
    expect(ruled).toBe("## Notes\n\nnew\n\n---\nold\n");
    expect(headingsOf(ruled).map(({ title }) => title)).toEqual(["Notes"]);
  });

  it("X-26 a box that was appended below an HTML tag was HTML, which check did not find", () => {
    const folded = edit("## Notes\n<details>\nx\n</details>\n\n## Later\n", "append", "- [ ] box");
    expect(boxesOf(folded).map(({ text }) => text)).toEqual(["box"]);
    const before = edit("## Notes\n\n- [ ] box\n", "prepend", "<details>\nx\n</details>");
    expect(boxesOf(before).map(({ text }) => text)).toEqual(["box"]);
  });

  it("X-26 a section's own text is replaced", () => {
    expect(edit(BODY, "replace", "new")).toBe(BODY.replace("first\n", "new\n"));
  });

  it("X-26 a missing section is made at the end", () => {
    expect(edit("# T042\n\ntext", "append", "n")).toBe("# T042\n\ntext\n\n## Notes\n\nn\n");
    expect(edit("", "append", "n")).toBe("## Notes\n\nn\n");
  });

  it("X-26 a title that ends in # made a new section with every edit", () => {
    const made = edit("", "append", "one", "# hash #");
    expect(made).toBe("## # hash #\n\none\n");
    expect(edit(made, "append", "two", "# hash #")).toBe("## # hash #\n\none\ntwo\n");
    expect(edit(made, "append", "two", "# hash")).toBe("## # hash #\n\none\ntwo\n");
    // A title that is really called so comes first.
    const setext = "## C\n\nx\n\nC #\n---\n";
    expect(edit(setext, "append", "n", "C #")).toBe(`${setext}\nn\n`);
    for (const title of ["#", "##", " # "]) {
      expect(() => edit("## #\n\nx\n", "append", "n", title)).toThrow("is no title");
    }
  });

  it("X-26 whatever its title, a section is made once", () => {
    const title = fc.string({
      unit: fc.constantFrom("#", " ", "a", "B", "\\", "`", "-", "<", "*", "\t"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(title, (section) => {
        let made = "";
        try {
          made = edit("", "append", "one", section);
        } catch {
          return;
        }
        expect(headingsOf(edit(made, "append", "two", section))).toHaveLength(1);
      }),
    );
  });

  it("X-26 an empty section is filled, also at the end of a file without a line end", () => {
    expect(edit("## Notes\n\n## Later\n", "append", "n")).toBe("## Notes\n\nn\n\n## Later\n");
    expect(edit("## Notes", "append", "n")).toBe("## Notes\n\nn\n");
    expect(edit("## Notes\n\nold", "append", "n")).toBe("## Notes\n\nold\nn\n");
  });

  it("X-26 a file with CRLF keeps CRLF", () => {
    const crlf = BODY.replaceAll("\n", "\r\n");
    for (const kind of ["append", "prepend", "replace"] as const) {
      const result = edit(crlf, kind, "one\ntwo", "Notes", "\r\n");
      expect(result.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      expect(result).toContain("one\r\ntwo\r\n");
    }
  });

  it("X-26 appending keeps every line that was there, in order, whatever the body", () => {
    const piece = fc.constantFrom(
      "# A",
      "## Notes",
      "## B",
      "### C",
      "text",
      "",
      "```",
      "- [ ] x",
      "  indented ",
      "Notes",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (lines, hasEnd) => {
        const body = lines.join("\n") + (hasEnd ? "\n" : "");
        const result = edit(body, "append", "MARK");
        const rest = result.split("\n").filter((line) => line !== "MARK" && line.trim() !== "");
        const before = body.split("\n").filter((line) => line.trim() !== "");
        const made = findSection(body, "Notes") === undefined ? ["## Notes"] : [];
        expect(rest).toEqual([...before, ...made]);
        const section = findSection(result, "Notes");
        if (section !== undefined) expect(result.slice(section.start, section.end)).toContain("MARK");
      }),
      { numRuns: 500 },
    );
  });

  it("X-25 headings in code fences are text, and sections without text can be left out", () => {
    expect(headingsOf(BODY).map((heading) => heading.title)).toEqual(["T042", "Notes", "Deep", "Later"]);
    expect(withoutEmptySections("## A\n\n## B\n\n### C\n\nx\n\n## D\n")).toBe("## B\n\n### C\n\nx");
  });
});

describe("boxes", () => {
  const body = "- [ ] unit tests\n- [x] code\n  * [ ] nested code\n1. [ ] numbered\n- [] none\r\n- [ ] crlf\r\n";

  it("RU-15 boxes are found in lists of every kind", () => {
    expect(boxesOf(body).map((box) => box.text)).toEqual(["unit tests", "code", "nested code", "numbered", "crlf"]);
  });

  it("RU-15 checking changes one character; checking again changes none", () => {
    const box = findBox(body, "Unit", "T042");
    const checked = setBox(body, box, true);
    expect(checked).toBe(body.replace("[ ] unit", "[x] unit"));
    expect(setBox(checked, findBox(checked, "unit", "T042"), true)).toBe(checked);
    expect(setBox(checked, findBox(checked, "unit", "T042"), false)).toBe(body);
  });

  it("RU-15 the whole text wins over a part; a part that two have is refused with both", () => {
    expect(findBox(body, "code", "T042").text).toBe("code");
    expect(() => findBox(body, "e", "T042")).toThrow(/boxes of T042 hold "e"/);
    expect(() => findBox(body, "absent", "T042")).toThrow(/no box that holds "absent"/);
  });
});
