// `jeeves doctor` and `jeeves completion` on the built bin: what is looked at, what is said of it, and the exit code.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Check } from "../src/doctor/check.ts";
import { checkPort } from "../src/doctor/places.ts";
import { checkNode } from "../src/doctor/programs.ts";
import { isOlder } from "../src/versions.ts";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-doctor-test-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function jeeves(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const done = spawnSync(process.execPath, [BIN, ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), ...env },
    encoding: "utf8",
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function doctor(env: Readonly<Record<string, string>> = {}) {
  const { code, out } = jeeves(["doctor", "--json"], env);
  const { ok, checks }: { ok: boolean; checks: Check[] } = JSON.parse(out);
  return { code, ok, of: (name: string) => checks.find((check) => check.name === name) };
}

function program(name: string, text: string): string {
  const path = join(dir, "bin", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return dirname(path);
}

describe("jeeves doctor", () => {
  it("finds nothing broken where nothing is, and leaves nothing behind", () => {
    const { code, ok, of } = doctor();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    for (const name of ["jeeves", "node", "build", "ripgrep", "git"]) expect(of(name)?.state).toBe("good");
    expect(of("state directory")).toMatchObject({ state: "good" });
    expect(of("port of the services")?.found).toContain("8006");
    expect(of("sandbox")).toBeDefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("names a directory for temporary files that is not there", () => {
    expect(doctor({ TMPDIR: join(dir, "none") })).toMatchObject({ code: 1 });
    expect(doctor({ TMPDIR: join(dir, "none") }).of("temporary files")).toMatchObject({
      state: "bad",
      mend: "make the directory, or set TMPDIR",
    });
  });

  it.runIf(process.platform === "linux")(
    "recommended seccomp=unconfined for a part that the user never met: it says what for, and a narrow profile first",
    () => {
      const sandbox = doctor({ PATH: "/nowhere" }).of("sandbox");
      expect(sandbox?.state).toBe("note");
      expect(sandbox?.found).toMatch(/^for `rudder agent spawn --sandbox` only; missing: srt, bwrap/);
      // Ripgrep may be there all the same: the one that comes with jeeves.
      expect(sandbox?.found).toContain("rg on PATH");
      expect(sandbox?.mend).toMatch(/seccomp=FILE.*seccomp=unconfined$/s);
    },
  );

  it("X-62 finds nothing to mend after an uninstall, whatever stays, nor where there are notes of stores alone", () => {
    const notes = join(dir, ".local", "share", "jeeves", "fallbacks");
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, "0123456789abcdef"), "/somewhere\n");
    expect(doctor().of("launchers")).toBeUndefined();
    expect(jeeves(["init", "claude-code", "--project"]).code).toBe(0);
    expect(doctor().of("launchers")).toMatchObject({ state: "good" });
    expect(jeeves(["uninstall", "--yes"]).code).toBe(0);
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, "0123456789abcdef"), "/somewhere\n");
    expect(doctor().of("launchers")).toBeUndefined();
  });

  it("X-62 tells when the installation behind the launchers is gone, and when settings name a path inside one", () => {
    jeeves(["init", "gemini"]);
    expect(doctor()).toMatchObject({ code: 0 });
    expect(doctor().of("launchers")).toMatchObject({ state: "good" });
    expect(doctor().of("settings")).toBeUndefined();
    const data = join(dir, ".local/share/jeeves");
    writeFileSync(join(data, "bin/jeeves-exec"), "#!/bin/sh\n");
    expect(doctor().of("launchers")).toMatchObject({ state: "note", found: "of another version: bin/jeeves-exec" });
    rmSync(join(data, "node"));
    expect(doctor().of("launchers")).toMatchObject({ state: "note", found: expect.stringContaining("Node") });
    rmSync(join(data, "installation"));
    symlinkSync("/gone/packages", join(data, "installation"));
    const gone = doctor();
    expect(gone.of("launchers")).toMatchObject({ state: "bad", found: expect.stringContaining("/gone/packages") });
    expect(gone.of("launchers")?.mend).toMatch(/jeeves init .*jeeves uninstall/);
    expect(gone.code).toBe(1);
    const clone = join(dir, "clone/packages/cli/bin");
    mkdirSync(clone, { recursive: true });
    writeFileSync(join(clone, "jeeves-exec"), "");
    mkdirSync(join(dir, ".claude"));
    const prefix = { CLAUDE_CODE_SHELL_PREFIX: join(clone, "jeeves-exec") };
    writeFileSync(join(dir, ".claude/settings.json"), JSON.stringify({ env: prefix }));
    expect(doctor().of("settings")).toMatchObject({ state: "note", found: expect.stringContaining(clone) });
    rmSync(clone, { recursive: true });
    expect(doctor().of("settings")).toMatchObject({ state: "bad", found: expect.stringContaining("is gone") });
  });

  it("says in words what it says in JSON, with a way to mend every note", () => {
    const { out } = jeeves(["doctor"], { PATH: program("nothing", "") });
    expect(out).toMatch(/^✓ node +\d/m);
    expect(out).toMatch(/^· git +not on the PATH\n +→ install git/m);
    expect(out).toMatch(/nothing is broken; \d+ notes?\n$/);
  });

  it("a client is named with its version and how to connect it; one whose settings name half of ours is bad", () => {
    const bin = program("codex", "echo codex-cli 0.170.1");
    program("claude", "echo '2.1.100 (Claude Code)'");
    mkdirSync(join(dir, ".claude"));
    writeFileSync(join(dir, ".claude", "settings.json"), '{"hooks":{"PostToolUse":[{"tool":"jeeves_hook"}]}}');
    const { of } = doctor({ PATH: `${bin}:${process.env.PATH}` });
    expect(of("codex")).toMatchObject({
      state: "note",
      found: "0.170.1 (newer than 0.166, the newest that was tried), not connected",
      mend: "jeeves setup",
    });
    expect(of("claude code")).toMatchObject({ state: "bad", mend: "jeeves init claude-code" });
    expect(of("claude code")?.found).toBe("2.1.100, connected, but a try failed: its settings name no server of ours");
  });

  it("a state directory that takes nothing, or that others may read, is bad and the exit code 1", () => {
    writeFileSync(join(dir, "file"), "");
    const broken = doctor({ JEEVES_STATE_DIR: join(dir, "file", "state") });
    expect(broken).toMatchObject({ code: 1, ok: false });
    expect(broken.of("state directory")?.state).toBe("bad");
    const path = join(dir, "it's open");
    mkdirSync(path);
    chmodSync(path, 0o755);
    const open = doctor({ JEEVES_STATE_DIR: path });
    expect(open.code).toBe(1);
    expect(open.of("state directory")).toMatchObject({ state: "bad", mend: expect.stringMatching(/^chmod 700 /) });
    spawnSync("/bin/sh", ["-c", open.of("state directory")?.mend ?? ""]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("a state directory that is a link to nothing, or lies beyond one, is bad", () => {
    symlinkSync(join(dir, "nowhere"), join(dir, "link"));
    for (const state of [join(dir, "link"), join(dir, "link", "state")])
      expect(doctor({ JEEVES_STATE_DIR: state }).of("state directory")).toMatchObject({
        state: "bad",
        found: expect.stringContaining(`${join(dir, "link")} is a link`),
      });
  });

  it("says which mode it is in and how to leave it", () => {
    expect(doctor({ JEEVES_MODE: "shadow" }).of("mode")).toMatchObject({ state: "note", mend: "unset JEEVES_MODE" });
    jeeves(["off"]);
    expect(doctor().of("mode")).toMatchObject({ state: "note", mend: "jeeves on" });
  });

  it("X-52 a client whose own settings say shadow is named, by jeeves on and off too, with what takes it out", () => {
    const PATH = `${program("codex", "echo codex-cli 0.170.1")}:${process.env.PATH}`;
    jeeves(["init", "codex", "--shadow"], { PATH });
    expect(doctor({ PATH }).of("codex")).toMatchObject({ state: "note", mend: "jeeves init codex" });
    expect(jeeves(["on"], { PATH }).err).toContain("Codex's own settings say shadow");
    jeeves(["init", "codex"], { PATH });
    expect(doctor({ PATH }).of("codex")?.found).not.toContain("shadow");
    expect(jeeves(["on"], { PATH }).err).toBe("");
  });

  it("a port that is taken is named with the flag of jeeves up that names another", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const { mend } = await checkPort("port of the page", port, "--page-port");
    server.close();
    expect(mend).toBe("jeeves up takes the next free one; --page-port names another");
  });

  it("a Node that is too old is bad", () => {
    expect(checkNode("20.18.3").state).toBe("bad");
    expect(checkNode("18.20.0").state).toBe("bad");
    expect(checkNode("20.19.0").state).toBe("good");
    expect(checkNode("26.1.0").state).toBe("good");
  });

  it("versions are compared by number", () => {
    expect(isOlder("2.1.99", "2.1.197")).toBe(true);
    expect(isOlder("2.1.325", "2.1.197")).toBe(false);
    expect(isOlder("0.166.0-alpha.2", "0.166.0")).toBe(false);
    expect(isOlder("3.0", "2.9.9")).toBe(false);
  });
});

describe("jeeves completion", () => {
  const complete = (words: readonly string[]) => {
    const script = `${jeeves(["completion", "bash"]).out}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _jeeves; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const done = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
    expect(done.stderr).toBe("");
    return done.stdout.trim().split("\n");
  };

  it("bash completes commands, the words below them and their options", () => {
    expect(complete(["jeeves", "do"])).toEqual(["doctor"]);
    expect(complete(["jeeves", "init", "cl"])).toEqual(["claude-code"]);
    expect(complete(["jeeves", "prune", "--fo"])).toEqual(["--focus"]);
    expect(complete(["jeeves", "init", "codex", "--sh"])).toEqual(["--shadow"]);
  });

  it("zsh and fish have theirs; another shell is refused with the ones there are", () => {
    expect(jeeves(["completion", "zsh"]).out).toContain("bashcompinit");
    expect(jeeves(["completion", "fish"]).out).toContain("complete -c jeeves -n __fish_use_subcommand -a up");
    const { code, err } = jeeves(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(err).toContain("bash, zsh, fish");
  });
});
