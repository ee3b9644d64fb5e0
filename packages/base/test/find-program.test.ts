import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findProgram, withAbsolutePath } from "../src/index.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-programs-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function place(name: string, mode = 0o755): string {
  const path = join(dir, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

it("finds the first executable file of that name", async () => {
  const first = place("a/tool");
  place("b/tool");
  const PATH = [join(dir, "none"), join(dir, "a"), join(dir, "b")].join(delimiter);
  expect(await findProgram("tool", { PATH })).toBe(first);
});

it("relative and empty entries of PATH do not count", async () => {
  const tool = place("bin/tool");
  const near = relative(process.cwd(), join(dir, "bin"));
  expect(await findProgram("tool", { PATH: near })).toBeUndefined();
  expect(await findProgram("tool", { PATH: ["", ".", near, join(dir, "bin")].join(delimiter) })).toBe(tool);
  expect(await findProgram("tool", {})).toBeUndefined();
});

it("passes over directories, files that may not be executed and links that lead nowhere", async () => {
  mkdirSync(join(dir, "a/tool"), { recursive: true });
  place("b/tool", 0o644);
  mkdirSync(join(dir, "c"));
  symlinkSync(join(dir, "gone"), join(dir, "c/tool"));
  const last = place("d/tool");
  const PATH = ["a", "b", "c", "d"].map((name) => join(dir, name)).join(delimiter);
  expect(await findProgram("tool", { PATH })).toBe(last);
});

it("a program that is started by its name is not the project's own", () => {
  const PATH = ["bin", "/usr/bin", "", ".", "/opt/bin"].join(delimiter);
  expect(withAbsolutePath({ PATH, HOME: "/h" })).toEqual({
    PATH: ["/usr/bin", "/opt/bin"].join(delimiter),
    HOME: "/h",
  });
  expect(withAbsolutePath({ HOME: "/h" })).toEqual({ HOME: "/h" });
});
