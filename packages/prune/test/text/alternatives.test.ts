import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byFirstLetter } from "../../src/text/alternatives.ts";

const SOURCES = [
  "(?:errors?|exit(?:ed)?(?: with)? code|Fatal)\\b",
  "(?:no (?:such|rule)|[Nn]othing|not (?:found|ok))\\b|un(?:known|bound)|E(?:ACCES|NOENT)\\b",
  "a?b|(?:ab)+c|\\d+x|[ab]c|(?:x|y)?z|(?:p|q)r",
];

describe("alternatives by their first letter", () => {
  it.each(SOURCES)("match at the same places as before: %s", (source) => {
    const [plain, sorted] = [source, byFirstLetter(source)].map((one) => new RegExp(`\\b(?:${one})`, "gi"));
    const word = fc.constantFrom(
      ..."errors error exit exited with code fatal no such rule nothing not found ok unknown unbound EACCES ENOENT ENO".split(
        " ",
      ),
      ..."ab b abab ababc abc ac bc z xz yz pr qr 12x x\n".split(" "),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.constantFrom(" ", "", "_"), (words, between) => {
        const text = words.join(between);
        const found = (pattern: RegExp | undefined) => Array.from(text.matchAll(pattern ?? /(?!)/g), (m) => m.index);
        expect(found(sorted)).toEqual(found(plain));
      }),
    );
  });
});
