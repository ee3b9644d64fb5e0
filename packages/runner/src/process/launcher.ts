// A program in front of everything that a provider starts: a sandbox, say. It is passed in the run's environment, because
// that reaches every start, also those by an agent's SDK. The variable is removed at the start: no agent sees it.
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

/** Sets the variable in any case, so that one of the user's cannot put a program in front of an agent. */
export function launcherEnv(launcher: Launcher | undefined): NodeJS.ProcessEnv {
  return { [VARIABLE]: launcher === undefined ? undefined : JSON.stringify(launcher) };
}

/** Puts the launcher of the environment, if there is one, in front of a command, and removes its variable. */
export function withLauncher(asked: Started): Started {
  const { [VARIABLE]: given, ...env } = asked.env;
  if (given === undefined || given === "") return asked;
  const launcher: Launcher = JSON.parse(given);
  const word = [asked.command, ...asked.args].map(shellQuote).join(" ");
  return { ...asked, command: launcher.command, args: [...launcher.args, word], env };
}
