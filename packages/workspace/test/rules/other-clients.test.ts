// what restricts reading in Codex (permission profiles) and in opencode (`permission`), and clients that are not
// known.
import type { ClientId } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { createPlaces } from "./places.ts";

const USER = "home/.codex/config.toml";
const OPENCODE = "home/code/project/opencode.json";

describe("Codex' permission profiles", () => {
  const profile = [
    'default_permissions = "careful"',
    "[permissions.careful.filesystem]",
    '":root" = "deny"',
    '"~/code/project/vault" = "none"',
    "glob_scan_max_depth = 3",
    '[permissions.careful.filesystem.":workspace_roots"]',
    '"." = "write"',
    '"**/.env" = "deny"',
    '"vault/open" = "read"',
    "[permissions.unused.filesystem]",
    '"~/code/project/src" = "deny"',
  ].join("\n");

  it.each<[string, boolean]>([
    [".env", true],
    ["a/b/.env", true],
    ["vault/a", true],
    ["vault/open/a", false],
    ["src/a", false],
  ])("X-61 the chosen profile, the innermost place first: %s: %s", async (path, isDenied) => {
    const places = createPlaces();
    const file = places.put(USER, profile);
    expect((await places.judge(path, "codex"))?.[2]).toBe(isDenied ? file : undefined);
  });

  it("X-61 braces name a file literally, as Codex reads them, or by what they expand to", async () => {
    const places = createPlaces();
    places.put(USER, '[permissions.p.filesystem.":workspace_roots"]\n"br{a,b}.txt" = "deny"\n"q{x}" = "deny"\n');
    for (const path of ["br{a,b}.txt", "bra.txt", "q{x}/s.txt"])
      expect(await places.judge(path, "codex")).toBeDefined();
    expect(await places.judge("brc.txt", "codex")).toBeUndefined();
  });

  it("X-61 a profile that the chosen one extends, and every profile where none is chosen", async () => {
    const places = createPlaces();
    const base = '[permissions.base.filesystem]\n"~/code/project/a" = "deny"\n';
    places.put(
      USER,
      `default_permissions = "mine"\n[permissions.mine]\nextends = "base"\n[permissions.mine.filesystem]\n${base}`,
    );
    expect(await places.judge("a/x", "codex")).toBeDefined();
    places.put(USER, base);
    expect(await places.judge("a/x", "codex")).toBeDefined();
    places.put(USER, `default_permissions = ":workspace"\n${base}`);
    expect(await places.judge("a/x", "codex")).toBeUndefined();
  });

  it("X-61 the project's and the administrator's files hold, too", async () => {
    const places = createPlaces();
    const own = places.put(
      "home/code/project/.codex/config.toml",
      '[permissions.p.filesystem.":project_roots"]\n"a" = "none"\n',
    );
    const managed = places.put(
      "etc/codex/requirements.toml",
      '[permissions.filesystem]\ndeny_read = ["~/code/**/*.key", "b"]\n',
    );
    expect((await places.judge("a/x", "codex"))?.[2]).toBe(own);
    expect((await places.judge("sub/x.key", "codex"))?.[2]).toBe(managed);
    expect((await places.judge("b/x", "codex"))?.[2]).toBe(managed);
    expect(await places.judge("c", "codex")).toBeUndefined();
  });

  const OWN = "home/code/project/.codex/config.toml";
  const trusting = (dir: string, level: string) =>
    `${profile}\n[projects.${JSON.stringify(dir)}]\ntrust_level = "${level}"\n`;

  it("X-61 a project chooses the profile only where the user trusts it", async () => {
    const places = createPlaces();
    places.put(OWN, 'default_permissions = ":workspace"\n[projects."/"]\ntrust_level = "trusted"\n');
    const isDenied = async () => (await places.judge(".env", "codex")) !== undefined;
    places.put(USER, profile);
    expect(await isDenied()).toBe(true);
    places.put(USER, trusting(places.project, "untrusted"));
    expect(await isDenied()).toBe(true);
    places.put(USER, trusting(`${places.project}/elsewhere`, "trusted"));
    expect(await isDenied()).toBe(true);
    places.put(USER, trusting(places.project, "trusted"));
    expect(await isDenied()).toBe(false);
    // The administrator's choice comes before all.
    places.put("etc/codex/managed_config.toml", 'default_permissions = "careful"\n');
    expect(await isDenied()).toBe(true);
  });

  it("X-61 a project that is not trusted cannot vouch for itself, and what it forbids counts", async () => {
    const places = createPlaces();
    const own = `[projects.${JSON.stringify(places.project)}]\ntrust_level = "trusted"\n`;
    const file = places.put(
      OWN,
      `default_permissions = "mine"\n${own}[permissions.mine.filesystem.":workspace_roots"]\n"keys" = "deny"\n`,
    );
    places.put(USER, profile);
    expect(await places.judge(".env", "codex")).toBeDefined();
    expect((await places.judge("keys/a", "codex"))?.[2]).toBe(file);
  });

  it("X-61 a config.toml that is broken is unknown; without any, nothing is forbidden", async () => {
    const places = createPlaces();
    expect(await places.judge("a", "codex")).toBeUndefined();
    places.put(USER, "not toml at all [");
    expect((await places.judge("a", "codex"))?.[0]).toBe("unknown");
  });

  it.each<[string, string, string, string]>([
    ["an access that Codex does not know", '[permissions.w.filesystem]\n"~/code/project/s" = "DENY"', "s/a", "t/a"],
    ["the same below a place", '[permissions.w.filesystem.":workspace_roots"]\n"s" = "no"', "s/a", "t/a"],
    ["a number", '[permissions.w.filesystem]\n"~/code/project/s" = 0', "s/a", "t/a"],
    ["a path behind a special name", '[permissions.w.filesystem]\n":workspace_roots/s" = "deny"', "s/a", "t/a"],
    ["a glob behind it", '[permissions.w.filesystem]\n":project_roots/**/*.key" = "deny"', "t/a.key", "t/a"],
    ["a glob with too many wildcards", '[permissions.w.filesystem]\n"~/code/project/s/*a*b*c*" = "deny"', "s/x", "t/a"],
    ["deny_read without a list", '[permissions.filesystem]\ndeny_read = "~/code/project/s"', "s/a", "t/a"],
  ])("X-61 %s denies what it names, and is reported once", async (_, config, denied, allowed) => {
    const places = createPlaces();
    const file = places.put(USER, `${config}\n`);
    expect((await places.judge(denied, "codex"))?.[0]).toBe("deny");
    expect((await places.judge(denied, "codex"))?.[0]).toBe("deny");
    expect(await places.judge(allowed, "codex")).toBeUndefined();
    expect(places.problems).toMatchObject([{ source: file, rule: expect.any(String), message: expect.any(String) }]);
  });

  it.each([
    ["a table that is none", '[permissions.w]\nfilesystem = "deny"', "deny"],
    [
      "a special name that Codex does not know either, and ignores",
      '[permissions.w.filesystem]\n":new" = "deny"',
      undefined,
    ],
  ])("X-61 %s is reported", async (_, config, effect) => {
    const places = createPlaces();
    const file = places.put(USER, `${config}\n`);
    expect((await places.judge("a", "codex"))?.[0]).toBe(effect);
    expect(places.problems).toMatchObject([{ source: file }]);
  });

  it("X-61 a table names what lies below, and what is understood is not reported", async () => {
    const places = createPlaces({ TMPDIR: "/var/own-tmp" });
    const names = ['":minimal" = "read"', '":tmpdir" = "write"', '":slash_tmp" = "write"', '":root" = "read"'];
    places.put(USER, `[permissions.w.filesystem]\n"~/code/project/s" = {access = "deny"}\n${names.join("\n")}\n`);
    expect((await places.judge("s/access/a", "codex"))?.[0]).toBe("deny");
    expect(await places.judge("s/a", "codex")).toBeUndefined();
    expect(places.problems).toEqual([]);
  });

  it("X-61 faults of profiles that are not in use are not reported", async () => {
    const places = createPlaces();
    places.put(USER, 'default_permissions = ":workspace"\n[permissions.w.filesystem]\n"~/code" = "DENY"\n');
    expect(await places.judge("s/a", "codex")).toBeUndefined();
    expect(places.problems).toEqual([]);
  });

  it("X-61 CODEX_HOME is where its user's settings are", async () => {
    const places = createPlaces({ CODEX_HOME: "/no/such/place" });
    places.put(USER, profile);
    expect(await places.judge(".env", "codex")).toBeUndefined();
  });
});

describe("opencode's permissions", () => {
  const read = (rules: unknown) => JSON.stringify({ permission: { read: rules } });

  it.each<[string, unknown, string, string | undefined]>([
    ["one word", "deny", "a", "deny"],
    ["a pattern", { "*.pem": "deny" }, "a/b/k.pem", "deny"],
    ["from the repository's root", { "src/*": "deny" }, "src/a/b", "deny"],
    ["nothing else", { "src/*": "deny" }, "lib/src/a", undefined],
    ["the last that matches", { "*": "deny", "src/*": "allow" }, "src/a", undefined],
    ["the last that matches, again", { "src/*": "allow", "*": "deny" }, "src/a", "deny"],
    ["asked about", { "db/*": "ask" }, "db/x", "ask"],
    ["its own default", {}, ".env", "ask"],
    ["its own exception", {}, ".env.example", undefined],
    ["allowed by the user", { "*.env": "allow" }, ".env", undefined],
  ])("X-61 %s: %j on %s: %s", async (_, rules, path, effect) => {
    const places = createPlaces();
    places.put(OPENCODE, read(rules));
    expect((await places.judge(path, "opencode"))?.[0]).toBe(effect);
  });

  it("X-61 later files win, as in opencode: the user's, the project's, .opencode; comments are read", async () => {
    const places = createPlaces();
    const user = places.put(
      "home/.config/opencode/opencode.jsonc",
      '{ // mine\n"permission": {"read": {"a": "deny", "b": "deny"}, },}',
    );
    places.put(OPENCODE, read({ a: "allow" }));
    expect(await places.judge("a", "opencode")).toBeUndefined();
    expect(await places.judge("b", "opencode")).toEqual(["deny", 'permission read: "b"', user]);
    places.put("home/code/project/.opencode/opencode.json", JSON.stringify({ permission: "deny" }));
    expect(await places.judge("c", "opencode")).toMatchObject({ 0: "deny" });
  });
});

it("X-61 for a client that is not known the rules of all of them hold, and for one that is, only its own", async () => {
  const places = createPlaces();
  places.put("home/code/project/.claude/settings.json", JSON.stringify({ permissions: { deny: ["Read(./a)"] } }));
  places.put(USER, '[permissions.p.filesystem]\n"~/code/project/b" = "deny"\n');
  places.put(OPENCODE, JSON.stringify({ permission: { read: { c: "deny" } } }));
  const judged = (client: ClientId | "unknown") =>
    Promise.all(["a", "b", "c", ".env"].map(async (path) => (await places.judge(path, client))?.[0]));
  expect(await judged("unknown")).toEqual(["deny", "deny", "deny", undefined]);
  // Known by name, but not by its rules.
  expect(await judged("gemini")).toEqual(["deny", "deny", "deny", undefined]);
  expect(await judged("claude-code")).toEqual(["deny", undefined, undefined, undefined]);
  expect(await judged("codex")).toEqual([undefined, "deny", undefined, undefined]);
  expect(await judged("opencode")).toEqual([undefined, undefined, "deny", "ask"]);
});
