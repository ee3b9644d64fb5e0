// Which git rudder runs: never one that the project brings along.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { spawnBin } from "../haven-under-test.ts";

it("a relative entry of PATH does not put the project's own bin/git in the place of git", async () => {
  const dir = mkdtempSync(join(tmpdir(), "rudder-git-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, "project");
  mkdirSync(join(project, "bin"), { recursive: true });
  execFileSync("git", ["init", "-q", project]);
  const ran = join(dir, "ran");
  writeFileSync(join(project, "bin", "git"), `#!/bin/sh\ntouch ${ran}\n`);
  chmodSync(join(project, "bin", "git"), 0o755);
  for (const entry of ["bin", "./bin", ""]) {
    const env = { PATH: `${entry}:${process.env.PATH}`, HOME: dir, XDG_DATA_HOME: join(dir, "data") };
    const cwd = entry === "" ? join(project, "bin") : project;
    const { code } = await spawnBin(["init"], { cwd, env });
    expect([code, existsSync(ran)]).toEqual([0, false]);
  }
});
