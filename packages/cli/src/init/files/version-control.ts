// Whether a settings file is under version control: what init writes names paths of this machine.
import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { findProgram, realPlaceOf } from "@jeeves/base";

const ASK_MS = 5_000;

/** Whether git has the file in its index; false where there is no git or no repository. */
export async function isTracked(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const git = await findProgram("git", env);
  if (git === undefined) return false;
  const real = await realPlaceOf(path);
  // A repository's own settings must start no program.
  const words = ["-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", basename(real)];
  return promisify(execFile)(git, words, { cwd: dirname(real), env, timeout: ASK_MS, killSignal: "SIGKILL" }).then(
    () => true,
    () => false,
  );
}
