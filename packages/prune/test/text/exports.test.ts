import * as exported from "@jeeves/prune/text";
import { expect, it } from "vitest";

it("what others can import from @jeeves/prune/text is exactly this", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "countLines",
    "estimateTokens",
    "lineAt",
    "lineLength",
    "linesOf",
    "scanWords",
    "splitLines",
    "stem",
    "termsOf",
    "tokensUpToLines",
    "wholeOf",
  ]);
});
