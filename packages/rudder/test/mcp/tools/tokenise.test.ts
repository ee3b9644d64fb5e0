// Quoting like a shell's, and nothing else of a shell.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenise } from "../../../src/mcp/tools/tokenise.ts";

describe("tokenise", () => {
  it.each([
    ["context:load T042", ["context:load", "T042"]],
    [
      'artifact:edit T042 --section Notes --append "Added new note"',
      ["artifact:edit", "T042", "--section", "Notes", "--append", "Added new note"],
    ],
    ["  task  list\t--json\n", ["task", "list", "--json"]],
    [`task:log T042 'it''s "so"'`, ["task:log", "T042", 'its "so"']],
    ['a "b \\" \\\\ c" d\\ e', ["a", 'b " \\ c', "d e"]],
    ["a '' \"\"", ["a", "", ""]],
    ['--append="two words"', ["--append=two words"]],
    ["", []],
  ])("X-28 %j is these words", (text, words) => {
    expect(tokenise(text)).toEqual(words);
  });

  it("X-28 what a shell would act on is text like any other", () => {
    expect(tokenise("a $(id) `id` $HOME ; b | c > d & * ? ~ # e")).toEqual(
      "a $(id) `id` $HOME ; b | c > d & * ? ~ # e".split(" "),
    );
    expect(tokenise('"$(touch x)" "`id`" \'$PATH\'')).toEqual(["$(touch x)", "`id`", "$PATH"]);
  });

  it.each(['a "b', "a 'b", "a b\\"])("X-28 %j is refused: something is not closed", (text) => {
    expect(() => tokenise(text)).toThrow(/the command has/);
  });

  it("X-28 whatever is put in single quotes, or escaped, comes out as it was", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (words) => {
        const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
        expect(tokenise(quoted)).toEqual(words);
        const double = words.map((word) => `"${word.replace(/["\\$`]/g, "\\$&")}"`).join("\n");
        expect(tokenise(double)).toEqual(words);
      }),
    );
  });
});
