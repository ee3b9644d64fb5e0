import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bare, dir, EXEC, envOf, file, run } from "./jeeves-exec-given.ts";

/** Recognised by its first word, so that perl stands in between. */
const cat = (more: string) => `cat /dev/null; ${more}`;

/** As a shell says it: 128 and the number of the signal. */
function under(shellLine: string, env: Readonly<Record<string, string>> = {}) {
  const done = spawnSync("/bin/bash", ["-c", shellLine, EXEC], { cwd: dir, env: envOf(env), maxBuffer: 1 << 28 });
  return { status: done.status, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
}

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
      expect(ignored('"$0"')).toBe(ignored("/bin/bash -c"));
    }
  });

  it("descriptors that are closed stay closed", () => {
    const command = cat("cat; echo out; echo err >&2");
    for (const closed of [">&-", "<&-"]) {
      const expected = under(`exec -a "$0" /bin/bash -c '${command}' ${closed}`);
      const { stderr, ...done } = under(`"$0" '${command}' ${closed}`);
      expect(done).toEqual({ status: expected.status, stdout: expected.stdout });
      expect(stderr.split("\n")).toHaveLength(expected.stderr.split("\n").length);
    }
  });

  /** Prints its first line, and is gone before the command is told to go on. */
  const LEAVES = `{ head -1; exec 0<&-; touch left; }; echo "\${PIPESTATUS[0]}"`;
  const WAITS = "while [ ! -e left ]; do sleep 0.05; done";

  it("a reader that leaves early does not end a command that goes on, and its exit code is waited for", () => {
    file("long.txt", "a line of many\n".repeat(20_000));
    const command = `cat long.txt; ${WAITS}; cat long.txt; sleep 0.3; echo still > after; exit 4`;
    for (const how of ["/bin/bash -c", '"$0"']) {
      for (const name of ["left", "after"]) rmSync(join(dir, name), { force: true });
      expect(under(`${how} '${command}' | ${LEAVES}`).stdout).toBe("a line of many\n4\n");
      expect(readFileSync(join(dir, "after"), "utf8")).toBe("still\n");
    }
  });

  it("a reader that leaves early is a broken pipe, whoever was writing by then", () => {
    file("long.txt", Array.from({ length: 20_000 }, (_, i) => `a line of many: ${i}\n`).join(""));
    for (const mode of ["on", "shadow"]) {
      rmSync(join(dir, "left"), { force: true });
      const done = under(`"$0" 'cat long.txt; ${WAITS}' | ${LEAVES}`, { JEEVES_MODE: mode });
      expect(done).toMatchObject({ stdout: "a line of many: 0\n141\n", stderr: "" });
    }
  });
});
