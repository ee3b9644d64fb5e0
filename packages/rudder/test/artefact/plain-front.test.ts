// The quick reader beside the YAML parser: it may decline, but where it answers, the two agree.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { splitArtefact } from "../../src/artefact/front-matter.ts";
import { toArtefactText } from "../../src/artefact/new-artefact.ts";
import { readPlainFront } from "../../src/artefact/plain-front.ts";
import { CORPUS } from "./corpus.ts";

const key = fc.constantFrom(
  "id",
  "title",
  "status",
  "tags",
  "blocked_by",
  "_x",
  "__proto__",
  "constructor",
  "a-b",
  "y",
  "'q'",
  "k k",
);
const piece = fc.constantFrom(
  ..."T001|Not Started|a: b|a:b|a #b|a#b|12:30|2026-01-02T03:04:05.678Z|1.20|yes|null|~|- x|-x|x-|'q'|it's|\"d\"|a, b|(x)|&a|x & y|*a|!t|%|@|`|>|a >|?|? x|a?|[|]|{|}|<<|...|---|é|🚀|\t|\\|x\\|:|::|a:|:a|a :b|''|/".split(
    "|",
  ),
  " ",
  "",
);
const value = fc.oneof(
  fc.array(piece, { maxLength: 3 }).map((all) => all.join("")),
  fc.array(piece, { maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
  fc.array(piece, { maxLength: 3 }).map((all) => `[${all.join(",")}]`),
  fc.constantFrom("[]", "{}", "[ ]", "{ a: b }", "|", ">-", "# c"),
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(key, fc.constantFrom(": ", ":", ":  ", " : "), value).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "# c", "  more", "- item", "  - item", "---", "...", "a\rb", "x") },
);

describe("plain front matter", () => {
  it("RU-05 wherever it answers, YAML reads the same", () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), fc.constantFrom("\n", "\r\n"), (lines, eol) => {
        const front = lines.map((one) => one + eol).join("");
        const plain = readPlainFront(front);
        if (plain === undefined) return;
        answered += 1;
        const document = parseDocument(front, { schema: "failsafe" });
        expect(document.errors, front).toEqual([]);
        expect(plain, front).toEqual(document.toJS() ?? {});
      }),
      { numRuns: 5_000 },
    );
    expect(answered).toBeGreaterThan(500);
  });

  it("RU-05 it answers for what rudder itself writes, and declines what people adorn", () => {
    const text = toArtefactText({
      kind: "task",
      id: "T001",
      title: "Parse the header",
      prd: "PRD-001",
      epic: "E001",
      tags: ["a", "b"],
    });
    const { frontStart, frontEnd } = splitArtefact(text);
    expect(readPlainFront(text.slice(frontStart, frontEnd))).toMatchObject({
      parent: "PRD-001/E001",
      tags: ["a", "b"],
      assignee: "",
    });
    for (const name of ["comments", "crlf", "odd spacing", "multi-line values", "unknown", "emoji"]) {
      const parts = splitArtefact(CORPUS[name] ?? "");
      expect(readPlainFront(parts.text.slice(parts.frontStart, parts.frontEnd)), name).toBeUndefined();
    }
  });
});
