import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDenyRules, currentDenyRules, faultOfGlob } from "../src/deny.ts";
import { scratchRoot } from "./scratch.ts";

const root = { path: "/real/r", alias: "/link" };

function isDenied(globs: readonly string[], path: string): boolean {
  return createDenyRules(root, { globs, source: "a list" }).verdictOn(join(root.path, path)) !== undefined;
}

describe("createDenyRules", () => {
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
    ["a(b)+^$|@!.txt", "a(b)+^$|@!.txt", true],
    ["a\\+(b).txt", "a+(b).txt", true],
    ["a\\+(b).txt", "ab.txt", false],
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
  ])("X-02 %j on %j: %s", (glob, path, expected) => {
    expect(isDenied([glob], path)).toBe(expected);
  });

  it.each(["/", ".", "./", "/real", "/real/", "/real/r", "/real/r/", "/link", "/link/", "/re*", "/**", "/real/*"])(
    "X-61 %j names the root or a directory above it, and refuses everything",
    (glob) => {
      for (const path of ["a", ".env", "a/b/c"]) expect(isDenied([glob], path)).toBe(true);
    },
  );

  it("X-02 several globs add up, and none denies nothing", () => {
    expect(isDenied(["a", " b "], "b")).toBe(true);
    expect(isDenied([], "a")).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ["*.[pk]em", "keys/server.pem", true],
    ["*.[pk]em", "keys/server.kem", true],
    ["*.[pk]em", "keys/server.em", false],
    ["key[!0-9].txt", "keyx.txt", true],
    ["key[!0-9].txt", "key1.txt", false],
    ["[]]", "]", true],
    ["*.{pem,key}", "a/b.key", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["\\#x", "#x", true],
    ["secrets/**/*.[jt]s", "secrets/a/b/c.ts", true],
    ["my-?.txt", "my-😀.txt", true],
    ["k[a-c]-*", "kb-1", true],
    ["k[\\!a].txt", "k!.txt", true],
    ["k[\\!a].txt", "ka.txt", true],
    ["k[\\!a].txt", "kb.txt", false],
    ["k[\\^a].txt", "kb.txt", false],
    ["*.{pem}", "a/k.pem", true],
    ["*.{pem}", "a/k.{pem}", true],
    ["*.{pem}", "a/kpem", false],
    ["m{1,2}.txt", "m1.txt", true],
    ["m{1,2}.txt", "m{1,2}.txt", true],
    ["m{1,2}.txt", "m3.txt", false],
    ["{x,y}/**", "{x,y}/q", true],
    ["{{name}}/a", "{{name}}/a", true],
    ["\\{a\\}", "{a}", true],
    ["\\{a\\}", "a", false],
    ["{1..3}.txt", "2.txt", true],
    ["/real/*/secrets", "secrets/a", true],
    ["/real", "real/a", true],
    ["/rea", "a", false],
    ["/rea", "rea/a", true],
  ])("X-61 classes, braces and escapes are those of globs: %j on %j: %s", (glob, path, expected) => {
    expect(isDenied([glob], path)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["~/r/secrets", "secrets/a", true],
    ["$HOME/r/*.pem", "k.pem", true],
    ["$HOME/*/b", "b", true],
    ["~", "a", true],
    ["~x", "a", false],
    ["~x", "~x", true],
    ["~/s/secrets", "secrets/a", false],
  ])("X-61 the home directory may be named by its sign: %j on %j: %s", (glob, path, expected) => {
    for (const [homes, at] of [
      [["/home/me", "/real"], root],
      [["/real [1]"], { path: "/real [1]/r" }],
    ] as const) {
      const rules = createDenyRules(at, { globs: [glob], source: "a list", homes });
      expect(rules.verdictOn(join(at.path, path)) !== undefined).toBe(expected);
    }
  });

  it.each<[string, string, boolean]>([
    ["*.[pk", "anything", true],
    ["*.[z-a]", "anything", true],
    ["vault/*.[pk", "vault/a/b", true],
    ["vault/*.[pk", "elsewhere", false],
    ["vault/{a", "vault/x", true],
    ["vault/../x", "vault/y", true],
    ["/real/*.[pk", "anything", true],
    ["vault/*a*b*c*d*e", "vault/none", true],
    ["vault/*a*b*c*d*e", "none", false],
    ["@(server|client).key", "server.key", true],
    ["+(a).txt", "aa.txt", true],
    ["!(notes).txt", "server.txt", true],
    ["vault/*.?(o)key", "vault/a.key", true],
    ["vault/*.?(o)key", "elsewhere", false],
    ["!notes.txt", "server.txt", true],
  ])(
    "X-61 a glob that cannot be compiled denies everything under its literal prefix: %j on %j: %s",
    async (glob, path, expected) => {
      expect(await faultOfGlob(glob)).toBeDefined();
      expect(isDenied([glob], path)).toBe(expected);
    },
  );

  it("X-61 a literal name is denied at its place, without a fault, and everything below with it", async () => {
    const name = fc
      .stringMatching(/^[a-zA-Z0-9._ +()^$|@!#~=,;é😀-]{1,8}$/u)
      .filter((text) => !/^\.{1,2}$|^ | $|^!|[+@!]\(.*\)/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(path, name, async (at, other) => {
        const glob = at.join("/");
        expect(await faultOfGlob(glob)).toBeUndefined();
        expect(isDenied([glob], glob)).toBe(true);
        expect(isDenied([glob], `${glob}/${other}`)).toBe(true);
        expect(isDenied([glob], `${other}x/${glob}`)).toBe(at.length === 1);
        expect(isDenied([glob], `${glob}${other}`)).toBe(false);
      }),
    );
  });

  it("X-61 what a glob denies, it denies with everything below", async () => {
    const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.{1,2}$/.test(text));
    const part = fc.oneof(name, fc.constantFrom("*", "**", "?", "*.txt", "[ab]*", "{a,b}", "a-?", "[a-b]-*"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        name,
        async (parts, at, below) => {
          const glob = parts.join("/");
          expect(await faultOfGlob(glob)).toBeUndefined();
          fc.pre(isDenied([glob], at.join("/")));
          expect(isDenied([glob], [...at, below].join("/"))).toBe(true);
        },
      ),
    );
  });

  it("X-61 no glob takes long, however many wildcards it has", () => {
    const globs = [
      `${"*a".repeat(30)}b`,
      `${"**/a/".repeat(30)}b`,
      `${"?".repeat(4000)}`,
      `${"{a,*a}".repeat(30)}b`,
      `${"{a,a}".repeat(60)}b`,
      "{a,a}*{a,a}b",
      "*a*a*b",
    ];
    const path = `${"a/".repeat(1_500)}${"a".repeat(250)}`;
    for (const glob of globs) isDenied([glob], path);
  });

  it("X-61 an absolute name holds behind the links in it, as they lead at that moment", async () => {
    const { dir } = await scratchRoot();
    mkdirSync(join(dir, "real/r/keys"), { recursive: true });
    mkdirSync(join(dir, "real/r/vault"));
    symlinkSync("real", join(dir, "linked"));
    symlinkSync("keys", join(dir, "real/r/current"));
    const at = { path: join(dir, "real/r") };
    const isRefused = async (glob: string, path: string) =>
      (await currentDenyRules(at, { globs: [glob], source: "a list" })).verdictOn(join(at.path, path)) !== undefined;
    expect(await isRefused(join(dir, "linked/r/vault"), "vault/k")).toBe(true);
    expect(await isRefused(join(dir, "linked/r/vault"), "keys/k")).toBe(false);
    expect(await isRefused(join(dir, "linked/r/**/k"), "vault/a/k")).toBe(true);
    expect(await isRefused(join(dir, "linked/r/missing/*.pem"), "missing/a.pem")).toBe(true);
    expect(await isRefused(join(dir, "linked"), "a")).toBe(true);
    expect(await isRefused("./current/k", "keys/k")).toBe(true);
    rmSync(join(at.path, "current"));
    symlinkSync("vault", join(at.path, "current"));
    expect(await isRefused("./current/k", "vault/k")).toBe(true);
  });
});
