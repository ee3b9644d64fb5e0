// Where we were started; it may have been removed since, and the system's own words for that name no path.
import { WorkspaceError } from "./workspace-error.ts";

/** The working directory. Throws a WorkspaceError where it no longer exists. */
export function currentDir(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const hint = "change to a directory that does";
    throw new WorkspaceError("invalid_cwd", "the current directory no longer exists", { hint, cause });
  }
}
