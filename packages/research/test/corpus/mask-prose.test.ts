// Comments and strings are blanked, and nothing moves.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskProse } from "../../src/corpus/mask-prose.ts";

const callsIn = (text: string, path: string): string[] =>
  [...maskProse(text, path).matchAll(/(\w+)\(/g)].map(([, name = ""]) => name);

describe("code without its prose", () => {
  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source that is masked
    ["a.ts", 'one(); // no()\n/* no()\n no() */ two(\'no()\', "no\\"()", `no() ${three()} no()`)'],
    ["a.py", "one()  # no()\n'''no()\nno()'''\ntwo(f'no() {three()}', '{no()}', r\"no()\")"],
    ["a.go", 'one() // no()\ntwo("no()", `no()\nno()`, \'"\')\nthree()'],
    ["a.rs", "one(&'a x, &'a two(y)); // no()\nlet s = \"no()\nno()\"; three('\"')"],
    ["a.java", 'one(); /* no() */ two("""\nno()\n"""); three()'],
    ["a.rb", 'one() # no()\ntwo("no() #{three()}")'],
    ["a.lua", "one(#list) -- no()\n--[[ no()\nno() ]] two('no()') three()"],
    ["a.sh", 'one() { two() { echo $# "no()"; }; } # no()\nthree() { :; }'],
  ])("C-24 %s", (path, text) => {
    expect(callsIn(text, path)).toEqual(["one", "two", "three"]);
  });

  it("C-24 of a document nothing is code", () => {
    expect(maskProse("Call `one()`.\n\n    two()\n", "a.md").trim()).toBe("");
  });

  it("any text keeps its lines and columns", () => {
    const piece = fc.constantFrom('"', "'", "`", '"""', "//", "/*", "*/", "#", "--", "\\", "\n", "f(", "${", "}", "é");
    const path = fc.constantFrom("a.ts", "a.py", "a.go", "a.rs", "a.java", "a.rb", "a.lua", "a.sh", "a.toml", "a.md");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), path, (pieces, name) => {
        const text = pieces.join("");
        const masked = maskProse(text, name);
        expect(masked.split("\n").map(({ length }) => length)).toEqual(text.split("\n").map(({ length }) => length));
      }),
      { numRuns: 200 },
    );
  });
});
