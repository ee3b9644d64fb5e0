// Where we were started; somebody may have taken it away since, and the system's own words for that name no path.
import { WorkspaceError } from "./workspace-error.ts";

export function currentDir(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const hint = "change to a directory that does";
    throw new WorkspaceError("invalid_cwd", "the current directory no longer exists", { hint, cause });
  }
}
