// A program in front of everything that an agent's provider starts: a sandbox, say. It is handed down in the run's
// environment, because that is what reaches every start, whichever way an agent's SDK takes; it is taken out again there,
// so that no agent ever sees it.
import { shellQuote } from "@jeeves/base";

/** Started as `command ...args WORD`, where WORD is the agent's whole command line, quoted for a POSIX shell. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
}

const VARIABLE = "JEEVES_LAUNCHER";

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Always named, so that no variable of the user's can put a program in front of an agent. */
export function launcherEnv(launcher: Launcher | undefined): NodeJS.ProcessEnv {
  return { [VARIABLE]: launcher === undefined ? undefined : JSON.stringify(launcher) };
}

export function withLauncher(asked: Started): Started {
  const { [VARIABLE]: given, ...env } = asked.env;
  if (given === undefined || given === "") return asked;
  const launcher: Launcher = JSON.parse(given);
  const word = [asked.command, ...asked.args].map(shellQuote).join(" ");
  return { ...asked, command: launcher.command, args: [...launcher.args, word], env };
}
