import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isInsideLexically, openRoot } from "../src/index.ts";
import { scratchRoot } from "./scratch.ts";

describe("openRoot", () => {
  it("J-67 is an existing directory, with symlinks resolved", async () => {
    const { dir, outside } = await scratchRoot({ "a.txt": "x" });
    symlinkSync(dir, join(outside, "link"));
    expect(await openRoot(join(outside, "link"))).toEqual({ path: dir, alias: join(outside, "link") });
    for (const bad of [join(dir, "none"), join(dir, "a.txt"), "a\0b"]) {
      await expect(openRoot(bad)).rejects.toMatchObject({ code: "invalid_path" });
    }
  });
});

describe("isInsideLexically", () => {
  it.each([
    ["a", true],
    [".", true],
    ["", true],
    ["a/../b", true],
    ["..a", true],
    ["/r/a", true],
    ["/r", true],
    ["..", false],
    ["a/../../r2", false],
    ["/r2", false],
    ["/", false],
    ["a\0", false],
  ])("X-05 %j is %s", (path, inside) => {
    expect(isInsideLexically("/r", path)).toBe(inside);
  });

  it("X-05 everything is inside /", () => {
    expect(isInsideLexically("/", "/etc/passwd")).toBe(true);
    expect(isInsideLexically("/", "..")).toBe(true); // there is nothing above it
  });

  it("X-05 a root knows the name that it was given, too", () => {
    const root = { path: "/real/r", alias: "/link" };
    expect(isInsideLexically(root, "/link/a")).toBe(true);
    expect(isInsideLexically(root, "/real/r/a")).toBe(true);
    expect(isInsideLexically(root, "/link/../etc")).toBe(false);
    expect(isInsideLexically(root, "../link")).toBe(false);
  });
});
