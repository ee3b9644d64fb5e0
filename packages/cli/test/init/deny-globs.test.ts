import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeDenyGlobs, managedSettingsDir } from "../../src/init/deny-globs.ts";

let dir = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-deny-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}
const deny = (...rules: readonly string[]) => JSON.stringify({ permissions: { deny: rules } });
const globsOf = (scope: "user" | "project" = "project") =>
  claudeDenyGlobs({
    cwd: join(dir, "code/project"),
    home: join(dir, "home"),
    userDir: join(dir, "home/.claude"),
    managedDir: join(dir, "etc"),
    scope,
  });

it("X-02 reads every settings file that holds: the user's, the project's, the local one, the administrator's", async () => {
  put("home/.claude/settings.json", deny("Read(a)"));
  put("code/project/.claude/settings.json", deny("Read(b)", "Read(a)"));
  put("code/project/.claude/settings.local.json", deny("Read(c)"));
  put("etc/managed-settings.json", deny("Read(d)"));
  put("etc/managed-settings.d/10-more.json", deny("Read(e)"));
  put("etc/managed-settings.d/notes.txt", deny("Read(f)"));
  expect(await globsOf()).toEqual({ globs: ["a", "b", "c", "d", "e"], unread: [] });
  expect(managedSettingsDir("linux")).toBe("/etc/claude-code");
});

it.each([
  ["Read(./.env)", [".env"]],
  ["Read(secrets/**)", ["secrets/**"]],
  ["Read(**/*.pem)", ["**/*.pem"]],
  ["Read", ["**"]],
  ["Read(/config/x)", ["config/x"]],
  ["Read(//DIR/code/project/keys/**)", ["keys/**"]],
  ["Read(//DIR/code/**)", ["**"]],
  ["Read(//**/.env)", ["**/.env"]],
  ["Read(//DIR/code/*/tokens)", ["tokens"]],
  ["Read(~/.ssh/**)", []],
  ["Read(//etc/**)", []],
  ["Read(*.{pem,key})", ["*.pem", "*.key"]],
  ["Read(a,b)", ["a?b"]],
  ["Read(key[0-9].txt)", ["key?.txt"]],
  ["Bash(cat .env)", []],
  ["Edit(.env)", []],
  ["WebFetch", []],
])("%s denies %j", async (rule, globs) => {
  put("code/project/.claude/settings.json", deny(rule.replace("DIR", dir.slice(1))));
  expect((await globsOf()).globs).toEqual(globs);
});

it("for the user's every project a rule about another place is kept wherever it might hold", async () => {
  put("home/.claude/settings.json", deny(`Read(/${dir}/other/keys/**)`, "Read(~/.aws/credentials)"));
  expect((await globsOf("user")).globs).toEqual(["**/keys/**", "**/credentials"]);
});

it("a link is followed, and what is no JSON is named", async () => {
  put("dotfiles/settings.json", deny("Read(linked)"));
  mkdirSync(join(dir, "home/.claude"), { recursive: true });
  symlinkSync(join(dir, "dotfiles/settings.json"), join(dir, "home/.claude/settings.json"));
  put("code/project/.claude/settings.json", "{ oops");
  put("code/project/.claude/settings.local.json", "[]");
  expect(await globsOf()).toEqual({
    globs: ["linked"],
    unread: [join(dir, "code/project/.claude/settings.json")],
  });
});
