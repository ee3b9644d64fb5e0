// What a store reads again and again is what a fresh reading gives.
import { expect, it } from "vitest";
import { type ArtefactPlace, readArtefact } from "../../src/artefact/artefact.ts";
import { createArtefactReader } from "../../src/artefact/artefact-reader.ts";
import { DEFAULT_DIGITS } from "../../src/ids.ts";
import { taskText } from "../haven-under-test.ts";

const place = (n: number): ArtefactPlace => {
  const id = `T${String(n).padStart(3, "0")}`;
  return { kind: "task", id, path: `artefacts/prds/PRD-001-shop/tasks/${id}-x.md`, prd: "PRD-001" };
};

it("X-66 a text is read once while it stays the same, and never taken for another one", () => {
  const read = createArtefactReader(DEFAULT_DIGITS);
  const texts = [taskText(1, { title: "One" }), taskText(1, { title: "Two" }), taskText(1, { title: "One" })];
  for (const text of texts) expect(read(text, place(1))).toEqual(readArtefact(text, place(1), DEFAULT_DIGITS));
  const [text = ""] = texts;
  expect(read(text, place(1))).toBe(read(text, place(1)));
  // The same text in another place is another artefact.
  expect(read(text, place(2))).toEqual(readArtefact(text, place(2), DEFAULT_DIGITS));
});

it("X-66 it remembers a bounded number of texts, and no long ones", () => {
  const read = createArtefactReader(DEFAULT_DIGITS);
  const text = taskText(1, { title: "One" });
  const first = read(text, place(1));
  for (let n = 2; n <= 400; n++) read(text, place(n));
  expect(read(text, place(1))).not.toBe(first);
  const long = `${text}${"x".repeat(20_000)}`;
  expect(read(long, place(1))).not.toBe(read(long, place(1)));
});
