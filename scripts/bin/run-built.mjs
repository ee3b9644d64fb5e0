// What `npm install --global .` links: runs a built bin, and sets up a bare clone at the first call. Not a lifecycle
// script: npm 11 warns of those and runs none where the user has `ignore-scripts`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "../setup.mjs";

/** Imports a file of a package's dist/. `npm start` and `npm run build` bring it up to date later. */
export async function runBuilt(...path) {
  const file = join(root, "packages", ...path);
  if (!existsSync(file)) {
    ensureInstalled();
    ensureBuilt();
  }
  await import(pathToFileURL(file).href);
}
