// Imports a server's entry, which ends the process when it has served. Where the installation is incomplete, one line
// on stderr names what to do, in place of a stack trace.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

process.argv.splice(1, 1);
const entry = process.argv[1] ?? "";
let why = "a file is cut off";
try {
  await import(pathToFileURL(entry).href);
} catch (error) {
  const isHalf = error instanceof SyntaxError || /^(?:ERR_MODULE_NOT_FOUND|ENOENT|EACCES)$/.test(error?.code ?? "");
  if (!isHalf) throw error;
  why = error.code ?? error.name;
}
const uninstall = join(dirname(dirname(fileURLToPath(import.meta.url))), "bin", "jeeves-uninstall");
process.stderr.write(
  `jeeves: ${entry} cannot start: its installation is incomplete (${why}). ` +
    `Build it ('npm run build') or run 'jeeves init' again, or '${uninstall}' to remove Jeeves from your clients.\n`,
);
process.exit(1);
