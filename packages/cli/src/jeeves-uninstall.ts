// `jeeves uninstall` as one file without dependencies, copied beside the launchers. Its data directory is the one that
// it lies in, whatever the environment is now.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runUninstall } from "./uninstall/run-uninstall.ts";

const USAGE = `usage: jeeves-uninstall [--yes] [--dry-run] [--keep-state] [--force]

Takes Jeeves out of the settings of every client and removes its launchers.

  --yes         remove stored texts, runs and the meter as well, without asking
  --keep-state  keep stored texts, runs and the meter, without asking
  --force       leave no launcher for the settings of moved or copied projects
  --dry-run     only say what would be done
`;

// By the name that it was started with: the module's own has links resolved, and a link must be known as one.
const dataDir = dirname(dirname(resolve(process.argv[1] ?? fileURLToPath(import.meta.url))));
try {
  const { values } = parseArgs({
    options: {
      yes: { type: "boolean", short: "y" },
      "dry-run": { type: "boolean" },
      "keep-state": { type: "boolean" },
      force: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { yes, force, "dry-run": dryRun, "keep-state": keepState } = values;
  if (values.help === true) process.stdout.write(USAGE);
  else
    await runUninstall(
      {
        ...(yes === undefined ? {} : { yes }),
        ...(dryRun === undefined ? {} : { dryRun }),
        ...(keepState === undefined ? {} : { keepState }),
        ...(force === undefined ? {} : { force }),
      },
      { ...process.env, XDG_DATA_HOME: dirname(dataDir) },
    );
} catch (error) {
  const isUsage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`jeeves: ${error instanceof Error ? error.message : String(error)}\n${isUsage ? USAGE : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}
