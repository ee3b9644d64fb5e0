import { expect, it } from "vitest";
import { parseJsonc } from "../../src/index.ts";

it.each([
  ['{"a":1}', { a: 1 }],
  ['\uFEFF{"a": 1}', { a: 1 }],
  ["", {}],
  [" // nothing\n", {}],
  ['{ // one\n "a": "//no /* no */,}", /* two */ "b": [1, 2, /* three */ ], }', { a: "//no /* no */,}", b: [1, 2] }],
  ['{"a": "\\"}, ]", "b": {},}', { a: '"}, ]', b: {} }],
  ['{"a": 1 /* no end', undefined],
  ['{"a": "no end', undefined],
  ['{"a": 1,,}', undefined],
  ["{ oops", undefined],
  ["/", undefined],
])("%j is %j", (text, value) => {
  expect(parseJsonc(text)).toEqual(value);
});

it("X-60 no text takes longer than it is long", () => {
  for (const piece of ["/*", '\\"', '"', "//", ",", ", ", "[", "/* */"])
    expect(parseJsonc(`{${piece.repeat(1_000_000)}`)).toBeUndefined();
});
