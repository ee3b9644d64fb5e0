// Claude Code's own entries of one project in .claude.json, a file of its user: what is there is not for the repository.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The directory by which Claude Code knows a project: the top of its repository, of a worktree that of the repository it
 * belongs to, else the directory itself (tried in 2.1.197 with `claude mcp add --scope local`).
 */
export function claudeProjectOf(cwd: string): string {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    if (existsSync(git)) return mainRepositoryOf(git) ?? dir;
    if (dir === dirname(dir)) return resolve(cwd);
  }
}

/** `.git` of a worktree is a file: "gitdir: REPOSITORY/.git/worktrees/NAME". */
function mainRepositoryOf(git: string): string | undefined {
  try {
    if (!statSync(git).isFile()) return undefined;
    return /^gitdir: (.+)\/\.git\/worktrees\/[^/]+\s*$/.exec(readFileSync(git, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
