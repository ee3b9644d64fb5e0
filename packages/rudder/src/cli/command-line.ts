// The command line as a server uses it (../command-line.ts).
import type { CommandLine } from "../command-line.ts";
import { readWords } from "./read-words.ts";
import { runRudder } from "./run.ts";

/** Reads and runs commands for a server: without a terminal, in the directory of its project. */
export const commandLine: CommandLine = {
  read: readWords,
  run: (argv, { place, ...call }) => runRudder(argv, { ...call, cwd: place.project, place }),
  preload: () =>
    Promise.all([
      import("./commands/tasks.ts"),
      import("./commands/lead.ts"),
      import("./commands/deps.ts"),
      import("./commands/init.ts"),
      import("../tasks/context.ts"),
      import("../tasks/versions.ts"),
    ]),
};
