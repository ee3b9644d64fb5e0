// The environment that git is asked in: nobody's GIT_DIR may lead us to another repository (a hook's environment names
// one), nobody is there to be asked, and answers are in one language.

export function toGitEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_|CONFIG_GLOBAL|CONFIG_SYSTEM)/.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", LC_ALL: "C" };
}
