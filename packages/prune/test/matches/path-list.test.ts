// Lists of paths by directory.
import { expect, it } from "vitest";
import { otherMatches, parseFileLines, renderOtherMatches } from "../../src/index.ts";

const PATHS = ["src/a/x.ts", "README.md", "src/b/y.ts", "src/a/z, old.ts", "/etc/hosts"];
const list = (form: "lines" | "counts", maxChars?: number) => {
  const lines = parseFileLines(`${PATHS.join("\n")}\n`, "paths");
  const others = otherMatches(lines, new Uint8Array(lines.table.count));
  return renderOtherMatches(others, { form, unit: lines.unit, ...(maxChars === undefined ? {} : { maxChars }) });
};

it("every path is named once, below its directory", () => {
  expect(list("lines").split("\n")).toEqual([
    "[5 files, by directory]",
    'src/a/: x.ts, "z, old.ts"',
    "./: README.md",
    "src/b/: y.ts",
    "/etc/: hosts",
  ]);
});

it("where that is too long, directories are counted, and at last the files alone", () => {
  expect(list("counts")).toBe("[5 files, by directory]\nsrc/a/ (2)\n./ (1)\nsrc/b/ (1)\n/etc/ (1)");
  expect(list("counts", 30)).toBe("[5 files]");
});
