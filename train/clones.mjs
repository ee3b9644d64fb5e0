// Clones of public repositories in a folder: DIR/<owner>+<name>/repo (bare), DIR/<owner>+<name> or DIR/<name>.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function openClones(dir) {
  const texts = new Map();
  const gitDirOf = (repo) => {
    const flat = join(dir, repo.replace("/", "+"));
    const name = repo.split("/")[1] ?? repo;
    return [join(flat, "repo"), join(flat, ".git"), join(dir, name, ".git")].find((path) => existsSync(path));
  };
  const git = (repo, ...args) =>
    execFileSync("git", [`--git-dir=${gitDirOf(repo)}`, ...args], { maxBuffer: 1 << 28, encoding: "utf8" });
  return {
    has: (repo) => gitDirOf(repo) !== undefined,
    git,
    /** The text of a case: its own, or what its commit has at its path. */
    textOf(one) {
      if (one.text !== undefined) return one.text;
      const key = `${one.repo} ${one.commit} ${one.path}`;
      if (!texts.has(key)) texts.set(key, git(one.repo, "show", `${one.commit}:${one.path}`));
      return texts.get(key);
    },
  };
}

export function readCases(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
