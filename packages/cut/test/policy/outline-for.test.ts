import { expect, it } from "vitest";
import { outlineFor } from "../../src/policy/outline-for.ts";

const names = Array.from({ length: 40 }, (_, index) => `module-${index}.ts`);
const listing = names.map((name) => `-rw-r--r--  1 ada ada  1204 Nov 17 10:02 ${name}`);

it("X-56 what a test or a script printed may be shown in short; what was read, and what anything else gave, may not", () => {
  for (const printed of ["test", "run"] as const) expect(outlineFor(printed, "done").keepOfLog).toBeGreaterThan(0);
  for (const other of ["read", "read-range", "git", "other"] as const)
    expect(outlineFor(other, listing.join("\n")).keepOfLog).toBeUndefined();
});

it("X-58 of searches only the long listing of a directory may: no match and no path disappears", () => {
  const whole = ["/app", "total 160", "drwxr-xr-x  5 ada ada   160 Nov 17 10:02 .", ...listing].join("\n");
  expect(outlineFor("search", whole).keepOfLog).toBeGreaterThan(0);
  expect(outlineFor("search", names.map((name) => `src/${name}`).join("\n")).keepOfLog).toBeUndefined();
  const mixed = [...listing.slice(0, 10), ...names.map((name) => `src/${name}:12:export const port = 8000;`)];
  expect(outlineFor("search", mixed.join("\n")).keepOfLog).toBeUndefined();
  expect(outlineFor("search", "").keepOfLog).toBeUndefined();
});
