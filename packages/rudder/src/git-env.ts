// The environment that git runs in: no GIT_DIR leads to another repository (a hook's environment names one), no prompt
// waits for an answer, output is in one language, and the project cannot put a git of its own in the place of git.
import { withAbsolutePath } from "@jeeves/base";

/**
 * A copy of `env` for git: without GIT_* variables other than those of author, committer and configuration files, and
 * with absolute entries of PATH alone.
 */
export function toGitEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_|CONFIG_GLOBAL|CONFIG_SYSTEM)/.test(name),
  );
  return { ...withAbsolutePath(Object.fromEntries(kept)), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", LC_ALL: "C" };
}
