// Claude Code's rules about reading files, as the client reads them (2.1.325: .gitignore patterns without case).
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createClientRules } from "../../src/index.ts";
import { createSettingsReader } from "../../src/rules/settings-reader.ts";
import { createPlaces } from "./places.ts";

const PROJECT = "home/code/project/.claude/settings.json";
const deny = (...rules: readonly string[]) => JSON.stringify({ permissions: { deny: rules } });

describe("Claude Code's rules", () => {
  it.each([
    ["the user's", "home/.claude/settings.json"],
    ["the project's", PROJECT],
    ["the local ones", "home/code/project/.claude/settings.local.json"],
    ["the administrator's", "etc/claude-code/managed-settings.json"],
    ["the administrator's drop-ins", "etc/claude-code/managed-settings.d/10-more.json"],
    ["the organisation's", "home/.claude/remote-settings.json"],
  ])("X-61 %s hold, and the refusal names the rule and its file", async (_, file) => {
    const places = createPlaces();
    expect(await places.judge(".env")).toBeUndefined();
    const path = places.put(file, deny("Read(./.env)"));
    expect(await places.judge(".env")).toEqual(["deny", "Read(./.env)", path]);
    expect(await places.judge("a.ts")).toBeUndefined();
    unlinkSync(path);
    expect(await places.judge(".env")).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ["Read(./.env)", ".env", true],
    ["Read(./.env)", "sub/.env", true],
    ["Read(.env)", ".env.local", false],
    ["Read(.ENV)", ".env", true],
    ["Read(secrets/**)", "secrets/a/b", true],
    ["Read(secrets/**)", "sub/secrets/a", true],
    ["Read(./secrets/**)", "secrets", true],
    ["Read(config/secrets/**)", "config/secrets/a", true],
    ["Read(config/secrets/**)", "sub/config/secrets/a", false],
    ["Read(**/*.pem)", "a/b/k.pem", true],
    ["Read(*.[pk]em)", "a/b/k.kem", true],
    ["Read(*.{pem,key})", "k.key", true],
    ["Read(m{1,2}.txt)", "m{1,2}.txt", true],
    ["Read(/{x,y}/**)", "{x,y}/q.txt", true],
    ["Read(k[\\!a].txt)", "k!.txt", true],
    ["Read(k[\\!a].txt)", "ka.txt", true],
    ["Read(k[\\!a].txt)", "kb.txt", false],
    ["Read(key[!0-9])", "keyx", true],
    ["Read(key[!0-9])", "key1", false],
    ["Read", "anything", true],
    ["Read(*)", "anything", true],
    ["Read()", "anything", true],
    ["Read(**)", "any/thing", true],
    ["Read(./**)", "any/thing", true],
    ["R*", "anything", true],
    ["Read(/config/x)", "config/x", true],
    ["Read(/config/x)", "sub/config/x", false],
    ["Read(//DIR/home/code/project/keys/**)", "keys/a", true],
    ["Read(//DIR/home/code/**)", "anything", true],
    ["Read(//**/.env)", "sub/.env", true],
    ["Read(//DIR/home/code/*/tokens)", "tokens", true],
    ["Read(~/**)", "anything", true],
    ["Read(~/code/*/tokens)", "tokens", true],
    ["Read(~/.ssh/**)", ".ssh/id", false],
    ["Read(//etc/**)", "etc/passwd", false],
    ["Read(../secrets/**)", "secrets/a", false],
    ["Read(!.env)", ".env", false],
    ["Bash(cat .env)", ".env", false],
    ["Edit(.env)", ".env", false],
    ["Grep(.env)", ".env", false],
    ["WebFetch", ".env", false],
    ["mcp__*", ".env", false],
  ])("X-61 %s on %s: %s", async (rule, path, isDenied) => {
    const places = createPlaces();
    places.put(PROJECT, deny(rule.replace("DIR", places.dir.slice(1))));
    expect((await places.judge(path)) !== undefined).toBe(isDenied);
    expect(places.problems).toEqual([]);
  });

  it("X-61 a path of the user's settings counts from their own place", async () => {
    const places = createPlaces();
    places.put("home/.claude/settings.json", deny("Read(/x)"));
    expect(await places.judge("x")).toBeUndefined();
  });

  it("X-61 what the user would be asked about is not read without asking", async () => {
    const places = createPlaces();
    const path = places.put(
      PROJECT,
      JSON.stringify({ permissions: { ask: ["Read(./db/**)"], allow: ["Read(./db/**)"] } }),
    );
    expect(await places.judge("db/a")).toEqual(["ask", "Read(./db/**)", path]);
  });

  it("X-61 a rule whose directory is a link holds for the place that it leads to", async () => {
    const places = createPlaces();
    mkdirSync(join(places.project, "vault/deep"), { recursive: true });
    symlinkSync("vault", join(places.project, "public"));
    places.put(PROJECT, deny("Read(./public/deep/**)"));
    expect(await places.judge("vault/deep/a")).toBeDefined();
    expect(await places.judge("vault/other")).toBeUndefined();
  });

  it("X-61 a file rule that cannot be understood denies everything under its literal prefix, and is reported once", async () => {
    const places = createPlaces();
    const path = places.put(PROJECT, deny("Read(./vault/*.[pk)", "Read(open"));
    expect(await places.judge("vault/a/b")).toEqual(["deny", "Read(./vault/*.[pk)", path]);
    expect(await places.judge("src/a")).toEqual(["deny", "Read(open", path]);
    expect(places.problems.map(({ source, rule }) => [source, rule])).toEqual([
      [path, "Read(./vault/*.[pk)"],
      [path, "Read(open"],
    ]);
  });

  it("X-61 a rule that is changed within the same tick of the clock, to the same length, holds at once", async () => {
    const places = createPlaces();
    for (let turn = 0; turn < 50; turn++) {
      places.put(PROJECT, deny(`Read(./f${turn % 10})`));
      expect(await places.judge(`f${turn % 10}`)).toBeDefined();
      expect(await places.judge(`f${(turn + 1) % 10}`)).toBeUndefined();
    }
  });
});

it("X-61 in a worktree the local settings of the main checkout hold, and the settings of no directory above", async () => {
  const main = createPlaces();
  mkdirSync(join(main.project, ".git/worktrees/w"), { recursive: true });
  const local = main.put("home/code/project/.claude/settings.local.json", deny("Read(./.env)"));
  main.put("home/code/project/.claude/settings.json", deny("Read(./other)"));
  main.put("home/code/w/.git", `gitdir: ${join(main.project, ".git/worktrees/w")}\n`);
  const worktree = join(main.dir, "home/code/w");
  const rules = await createClientRules({ path: worktree }, { env: {}, home: join(main.dir, "home") }).current(
    "claude-code",
    () => {},
  );
  expect(rules.verdictOn(join(worktree, ".env"))).toMatchObject({ effect: "deny", source: local });
  expect(rules.verdictOn(join(worktree, "other"))).toBeUndefined();
});

describe("settings files that are not what they should be", () => {
  const UNKNOWN = [
    ["broken JSON", "{ oops", "is not valid JSON"],
    ["cut off", '{"permissions":{"deny":["Read(./.env)"', "is not valid JSON"],
  ] as const;
  it.each(UNKNOWN)("X-61 %s: nothing is read, because what it forbids is unknown", async (_, content, reason) => {
    const places = createPlaces();
    const path = places.put(PROJECT, content);
    expect(await places.judge("a")).toEqual(["unknown", reason, path]);
    await places.judge("b");
    expect(places.problems).toEqual([{ source: path, message: reason }]);
  });

  it.each([
    ["empty", ""],
    ["a list", "[]"],
    ["without rules", '{"permissions":{"deny":{"a":1},"ask":7}}'],
    ["with comments", '{"permissions":{"deny":[/* none */],},}'],
    ["with a byte order mark", "\ufeff{}"],
  ])("X-61 %s: nothing is forbidden", async (_, content) => {
    const places = createPlaces();
    places.put(PROJECT, content);
    expect(await places.judge("a")).toBeUndefined();
  });

  it("X-60 a pipe, a file that never ends and one that is too large neither hang nor crash", async () => {
    const places = createPlaces();
    const path = places.put(PROJECT, "{}");
    unlinkSync(path);
    execFileSync("mkfifo", [path]);
    expect(await places.judge("a")).toEqual(["unknown", "is not a regular file", path]);
    unlinkSync(path);
    symlinkSync("/dev/zero", path);
    expect(await places.judge("a")).toEqual(["unknown", "is not a regular file", path]);
    unlinkSync(path);
    writeFileSync(path, "");
    truncateSync(path, 8 * 1024 ** 3);
    expect(await places.judge("a")).toEqual(["unknown", "is larger than 4 MiB", path]);
  });

  it("X-61 what the client cannot read either forbids nothing, and is reported", async () => {
    const places = createPlaces();
    mkdirSync(join(places.dir, PROJECT), { recursive: true });
    expect(await places.judge("a")).toBeUndefined();
    expect(places.problems).toEqual([{ source: join(places.dir, PROJECT), message: "is a directory" }]);
    const locked = places.put("home/.claude/settings.json", deny("Read"));
    chmodSync(locked, 0);
    // root reads it all the same, and so does its client
    expect((await places.judge("a")) === undefined).toBe(process.getuid?.() !== 0);
  });

  it("X-60 a file that does not answer in time is unknown, and costs one try", async () => {
    const places = createPlaces();
    const path = places.put("slow", "{}");
    let tries = 0;
    const reader = createSettingsReader(
      () => {
        tries++;
        return new Promise<never>(() => {});
      },
      { deadlineMs: 20 },
    );
    const late = { kind: "unusable", reason: "could not be read within 20 ms" };
    expect([await reader.read(path), await reader.read(path)]).toEqual([late, late]);
    expect(tries).toBe(1);
  });
});
