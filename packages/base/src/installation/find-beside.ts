// Where a file of this installation is. A clone and the npm package have the same layout (packages/NAME/dist), so a file
// is found by going up from the code that asks, which may be a source file or a chunk of any package's bundle.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** From packages/NAME/dist/chunks to packages. One more would leave the installation. */
const LEVELS = 4;

/**
 * The absolute path of `path` in the nearest directory above `from` that has it; undefined where none does.
 * @param from `import.meta.url` of the caller
 */
export function findBeside(path: string, from: string): string | undefined {
  let dir = dirname(fileURLToPath(from));
  for (let level = 0; level < LEVELS; level++) {
    const file = join(dir, path);
    if (existsSync(file)) return file;
    dir = dirname(dir);
  }
  return undefined;
}
