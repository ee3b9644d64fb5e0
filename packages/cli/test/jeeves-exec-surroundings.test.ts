import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bare, dir, EXEC, envOf, file, run } from "./jeeves-exec-given.ts";

/** Not one of the commands that run bare, so that perl stands in between. */
const cat = (more: string) => `cat /dev/null; ${more}`;

/** As a shell says it: 128 and the number of the signal. */
function under(shellLine: string, env: Readonly<Record<string, string>> = {}) {
  const done = spawnSync("/bin/bash", ["-c", shellLine, EXEC], { cwd: dir, env: envOf(env), maxBuffer: 1 << 28 });
  return { status: done.status, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
}

describe("X-62 a perl that does not work", () => {
  const LONG = "cat long.log; env | grep PERL | sort; exit 3";
  const lines = Array.from({ length: 3_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`);
  const isCut = { status: 3, stdout: expect.stringMatching(/recover_text prn_[a-z2-7]{12}\]\n$/) };
  const shown = (done: { status: number | null; stdout: Buffer }) => ({ ...done, stdout: done.stdout.toString() });
  /** jeeves-exec on a machine without a perl of the system's. */
  function withoutSystemPerl(): string {
    const bin = join(dir, "elsewhere", "bin");
    mkdirSync(bin, { recursive: true });
    const text = readFileSync(EXEC, "utf8").replaceAll(
      /(?:\/usr\/bin|\/bin|\/usr\/local\/bin|\/opt\/homebrew\/bin)\/perl\b/g,
      "/nowhere/perl",
    );
    writeFileSync(join(bin, "jeeves-exec"), text, { mode: 0o755 });
    symlinkSync(`${EXEC}.pl`, join(bin, "jeeves-exec.pl"));
    symlinkSync(join(EXEC, "../../dist"), join(dir, "elsewhere", "dist"));
    return join(bin, "jeeves-exec");
  }

  it("a shim on PATH is not used where the system has a perl; elsewhere it has to prove itself", () => {
    file("long.log", `${lines.join("\n")}\n`);
    const shim = join(dir, "shim");
    mkdirSync(shim);
    const path = process.env.PATH ?? "";
    const elsewhere = withoutSystemPerl();
    const runThere = (PATH: string) => {
      const { status, signal, stdout, stderr } = spawnSync(elsewhere, ["--client=codex", LONG], {
        cwd: dir,
        env: envOf({ PATH }),
      });
      return { status, signal, stdout, stderr };
    };
    for (const text of ["#!/bin/sh\necho 'No version is set' >&2\nexit 126\n", "#!/nowhere/interpreter\n", ""]) {
      writeFileSync(join(shim, "perl"), text, { mode: 0o755 });
      const env = { PATH: `${shim}:${path}` };
      expect(shown(run(LONG, { env }))).toMatchObject(isCut);
      // An empty file is a script that succeeds, so only a real perl is left to tell.
      if (text !== "") expect(runThere(env.PATH)).toEqual(bare(LONG, { env }));
    }
    expect(shown(runThere(path))).toMatchObject(isCut);
  });

  it("a damaged runner runs nothing, so the command runs bare, once", () => {
    file("long.log", `${lines.join("\n")}\n`);
    const bin = join(dir, "damaged");
    mkdirSync(bin);
    const launcher = join(bin, "jeeves-exec");
    writeFileSync(launcher, readFileSync(EXEC, "utf8"), { mode: 0o755 });
    const runner = readFileSync(`${EXEC}.pl`, "utf8");
    const command = "echo run >> runs; cat long.log; exit 3";
    const atStart = runner.indexOf("our $has_started = 1;");
    const inLoop = runner.indexOf("take_output();");
    for (const text of [
      runner.slice(0, inLoop),
      "this is no perl {",
      `die "broken";\n${runner}`,
      runner.slice(0, atStart),
    ]) {
      writeFileSync(join(bin, "jeeves-exec.pl"), text);
      file("runs", "");
      const { status, stdout } = spawnSync(launcher, ["--client=codex", command], { cwd: dir, env: envOf() });
      expect({ status, stdout: stdout.toString() }).toEqual({ status: 3, stdout: `${lines.join("\n")}\n` });
      expect(readFileSync(join(dir, "runs"), "utf8")).toBe("run\n");
    }
  });

  it("modules of the environment are not loaded, and the command sees its variables", () => {
    file("long.log", `${lines.join("\n")}\n`);
    mkdirSync(join(dir, "lib"));
    for (const name of ["strict", "warnings", "Fcntl", "Config", "utf8"]) file(`lib/${name}.pm`, 'die "broken";\n');
    const command = `cat long.log; env | grep ^PERL > seen; exit 3`;
    for (const name of ["PERL5LIB", "PERLLIB"]) {
      const done = run(command, { env: { [name]: join(dir, "lib") } });
      expect(shown(done)).toMatchObject({ ...isCut, stderr: Buffer.alloc(0) });
      expect(readFileSync(join(dir, "seen"), "utf8")).toBe(`${name}=${join(dir, "lib")}\n`);
    }
  });

  it("the runner is sound under strict and warnings", () => {
    const { status, stderr } = spawnSync("perl", ["-Mstrict", "-wc", `${EXEC}.pl`]);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: `${EXEC}.pl syntax OK\n` });
  });
});

describe("what surrounds a command is the bare command's", () => {
  it("variables that have a launcher's favourite names reach the command as they were", () => {
    const names = "client session transcript shell command bare rest first second third recognised streams here";
    const env = Object.fromEntries(names.split(" ").map((name) => [name, `own ${name}`]));
    const command = "env | grep '=own ' | sort";
    for (const asked of [command, cat(command)]) {
      expect(run(asked, { env }).stdout.toString()).toBe(bare(asked, { env }).stdout.toString());
      expect(run(asked, { env }).stdout.toString().split("\n")).toHaveLength(14);
    }
  });

  it.each([
    ["a locale that is not installed", { LC_ALL: "xx_YY.UTF-8" }],
    ["perl told to decode everything", { PERL_UNICODE: "SDA" }],
    ["perl told to load what is not there", { PERL5OPT: "-MNoSuchModule" }],
    ["perl told what to think of locales", { PERL_BADLANG: "1" }],
    ["perl told to debug, the long way", { PERL5DB: "BEGIN { exit 7 }", PERL_HASH_SEED_DEBUG: "1", PERL_MEM_LOG: "1" }],
    ["a word that only our tests use", { JEEVES_EXEC_TELL: "1", jx_tell: "1" }],
    ["a shell that is not there", { SHELL: "/nowhere/zsh" }],
  ])("with %s", (_what, env) => {
    const command = cat("printf 'h\\303\\251 \\377\\n'; env | grep PERL; echo err >&2; exit 3");
    expect(run(command, { env })).toEqual(bare(command, { env }));
    expect(run("echo untouched", { env })).toEqual(bare("echo untouched", { env }));
  });

  it("signals that are ignored stay ignored, as under nohup", () => {
    const command = cat("grep SigIgn /proc/self/status");
    for (const names of ["HUP", "INT QUIT", "TERM", "PIPE"]) {
      const ignored = (how: string) => under(`trap '' ${names}; ${how} '${command}'`).stdout;
      expect(ignored('"$0" --client=codex')).toBe(ignored("/bin/bash -c"));
    }
  });

  it("descriptors that are closed stay closed", () => {
    const command = cat("cat; echo out; echo err >&2");
    for (const closed of [">&-", "<&-"]) {
      const expected = under(`exec -a "$0" /bin/bash -c '${command}' ${closed}`);
      const { stderr, ...done } = under(`"$0" --client=codex '${command}' ${closed}`);
      expect(done).toEqual({ status: expected.status, stdout: expected.stdout });
      expect(stderr.split("\n")).toHaveLength(expected.stderr.split("\n").length);
    }
  });

  /** Prints its first line, and is gone before the command is told to go on. `left` is a pipe: a loop looks like work. */
  const LEAVES = `{ head -1; exec 0<&-; echo > left; }; echo "\${PIPESTATUS[0]}"`;
  const WAITS = "read -r line < left";
  const makePipe = () => {
    rmSync(join(dir, "left"), { force: true });
    execFileSync("mkfifo", [join(dir, "left")]);
  };

  it("a reader that leaves early does not end a command that goes on, and its exit code is waited for", () => {
    file("long.txt", "a line of many\n".repeat(20_000));
    const command = `cat long.txt; ${WAITS}; cat long.txt; sleep 0.3; echo still > after; exit 4`;
    for (const how of ["/bin/bash -c", '"$0" --client=claude-code --mode=shadow']) {
      rmSync(join(dir, "after"), { force: true });
      makePipe();
      expect(under(`${how} '${command}' | ${LEAVES}`).stdout).toBe("a line of many\n4\n");
      expect(readFileSync(join(dir, "after"), "utf8")).toBe("still\n");
    }
  });

  it("a reader that leaves early is a broken pipe, whichever process was writing", () => {
    file("long.txt", Array.from({ length: 20_000 }, (_, i) => `a line of many: ${i}\n`).join(""));
    for (const mode of ["on", "shadow"]) {
      makePipe();
      const env = { JEEVES_MODE: mode, JEEVES_EXEC_RAW_SILENT_MS: "100" };
      const done = under(`"$0" --client=claude-code 'cat long.txt; ${WAITS}; cat long.txt' | ${LEAVES}`, env);
      expect(done).toMatchObject({ stdout: "a line of many: 0\n141\n", stderr: "" });
    }
  });
});
