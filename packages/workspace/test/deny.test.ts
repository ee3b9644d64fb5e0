import { describe, expect, it } from "vitest";
import { createDenyTest } from "../src/deny.ts";

const root = { path: "/real/r", alias: "/link" };

describe("createDenyTest", () => {
  it.each<[string, string, boolean]>([
    [".env", ".env", true],
    [".env", "a/b/.env", true],
    [".env", ".env.local", false],
    [".env*", "a/.env.local", true],
    ["*.pem", "a/k.pem", true],
    ["*.pem", "k.pem/inside", true],
    ["secrets", "secrets/a/b", true],
    ["secrets/", "x/secrets/a", true],
    ["/secrets", "secrets/a", true],
    ["/secrets", "x/secrets/a", false],
    ["a/*.txt", "a/b.txt", true],
    ["a/*.txt", "a/c/b.txt", false],
    ["a/*.txt", "x/a/b.txt", false],
    ["a/**", "a/b/c", true],
    ["a/**", "ab", false],
    ["**/b", "b", true],
    ["**/b", "x/y/b/z", true],
    ["**/b", "xb", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["?.txt", "a.txt", true],
    ["?.txt", "😀.txt", true],
    ["?.txt", "ab.txt", false],
    ["a+(b)[c]{d}.txt", "a+(b)[c]{d}.txt", true],
    ["a.txt", "abtxt", false],
    ["./a", "a", true],
    ["**", "anything/at/all", true],
    ["/real/r/secrets", "secrets/a", true],
    ["/real/r/secrets", "x/secrets", false],
    ["/real/r/*.pem", "k.pem", true],
    ["/link/secrets/**", "secrets/a", true],
    ["/real/rest", "rest", false],
    [".*", ".env", true],
    [".*", ".", false],
    ["", "a", false],
    ["/", "a", false],
  ])("X-02 %j on %j: %s", (glob, path, expected) => {
    expect(createDenyTest(root, [glob])(path)).toBe(expected);
  });

  it("X-02 several globs add up, and none denies nothing", () => {
    expect(createDenyTest(root, ["a", " b "])("b")).toBe(true);
    expect(createDenyTest(root, undefined)("a")).toBe(false);
  });
});
