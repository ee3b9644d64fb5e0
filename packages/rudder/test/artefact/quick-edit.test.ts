// Edits without a parser: wherever they answer, the parser's edit writes the same bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { editFront, type FrontEdit } from "../../src/artefact/edit-front-matter.ts";
import { setPlainFields } from "../../src/artefact/quick-edit.ts";
import { taskText } from "../haven-under-test.ts";

const value = fc.oneof(
  fc.constantFrom(
    "Done",
    "In Progress",
    "2026-01-01T00:00:00.000Z",
    "ada",
    "null",
    "12",
    "a: b",
    "#x",
    "yes",
    "",
    "[x]",
  ),
  fc.stringMatching(/^[a-zA-Z0-9 ._:-]{1,12}$/),
  fc.string(),
);
const edits: fc.Arbitrary<FrontEdit[]> = fc.array(
  fc.record({
    kind: fc.constant("set" as const),
    field: fc.constantFrom("status", "assignee", "started_at", "title", "blocked_by", "other"),
    value,
  }),
  { minLength: 1, maxLength: 3 },
);

it("RU-05 wherever it answers, the parser's edit writes the same", () => {
  let answered = 0;
  fc.assert(
    fc.property(edits, value, fc.constantFrom("\n", "\r\n"), (all, assignee, eol) => {
      const text = taskText(1, { assignee, started_at: "" }).replaceAll("\n", eol);
      const quick = setPlainFields(text, all);
      if (quick === undefined) return;
      answered += 1;
      expect(quick).toBe(editFront(text, all, "x.md"));
    }),
    { numRuns: 400 },
  );
  expect(answered).toBeGreaterThan(8);
});
