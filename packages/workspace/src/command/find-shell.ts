// The platform's shell (J-31): bash as a login shell; where there is none, plain sh.
import { findProgram, isExecutable } from "@jeeves/base";

/** A shell, and the option before the command's text. */
export interface Shell {
  readonly path: string;
  readonly flag: "-lc" | "-c";
}

/** bash on the PATH or at `lastBash`, else sh. A shell that does not exist is noticed only when it is started. */
export async function findShell(
  env: NodeJS.ProcessEnv,
  options: { readonly lastBash?: string; readonly lastSh?: string } = {},
): Promise<Shell> {
  const { lastBash = "/bin/bash", lastSh = "/bin/sh" } = options; // used where the PATH has neither
  const bash = (await findProgram("bash", env)) ?? ((await isExecutable(lastBash)) ? lastBash : undefined);
  if (bash !== undefined) return { path: bash, flag: "-lc" };
  return { path: (await findProgram("sh", env)) ?? lastSh, flag: "-c" };
}
