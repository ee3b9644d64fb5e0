// The answer to --help and --version, the same in every program.
import { VERSION } from "@jeeves/base";

/** The text to print; undefined where the arguments ask for neither. */
export function usageFor(args: readonly string[], help: () => string): string | undefined {
  if (args.includes("--help") || args.includes("-h")) return help();
  if (args.includes("--version") || args.includes("-v")) return `${VERSION}\n`;
  return undefined;
}
