// Questions with the files (and lines) that answer them, and the repositories they are about, checked out at their
// commit into a folder of our own. The cases come from outside: --cases FILE --repos DIR.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAX_ARCHIVE_BYTES = 2 ** 31 - 1;

export function readCases(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

/** Cases by repository and commit; each group is one check-out. Those that name one file each become one per question. */
export function groupCases(given) {
  const groups = new Map();
  for (const one of withFiles(given)) {
    const key = `${one.repo}@${one.commit}`;
    const group = groups.get(key) ?? { repo: one.repo, commit: one.commit, cases: [] };
    group.cases.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function withFiles(cases) {
  const byQuestion = new Map();
  for (const one of cases) {
    const files = one.files ?? [one.path];
    const key = `${one.repo}\0${one.commit}\0${one.question}`;
    const known = byQuestion.get(key);
    if (known === undefined) byQuestion.set(key, { ...one, files: [...files] });
    else known.files.push(...files.filter((file) => !known.files.includes(file)));
  }
  return [...byQuestion.values()];
}

/** `owner+name/repo` is a bare clone, `name/` a clone. */
export function checkOut({ repo, commit }, { repos, into }) {
  const [owner, name] = repo.split("/");
  const git = [join(repos, `${owner}+${name}`, "repo"), join(repos, name)].find((dir) => existsSync(dir));
  if (git === undefined) throw new Error(`no clone of ${repo} in ${repos}`);
  const dir = join(into, `${name}-${commit.slice(0, 12)}`);
  if (existsSync(dir)) return dir;
  mkdirSync(dir, { recursive: true });
  const tar = execFileSync("git", ["-C", git, "archive", commit], { maxBuffer: MAX_ARCHIVE_BYTES });
  execFileSync("tar", ["-x", "-C", dir], { input: tar });
  return dir;
}
