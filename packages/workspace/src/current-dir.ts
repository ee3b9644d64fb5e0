// The working directory may have been removed, and Node's own error for that names no path.
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
