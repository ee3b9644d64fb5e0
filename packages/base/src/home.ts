// Where the user's home directory is.
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The user's home directory: `HOME` if it is absolute, else the one of this process' user, else "/". An empty or relative
 * `HOME` never counts: files would end up in the current directory. (`os.homedir()` returns `HOME` unchecked.)
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  if (env.HOME !== undefined && isAbsolute(env.HOME)) return env.HOME;
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // The user has no entry in the password file.
    }
  }
  return "/";
}
