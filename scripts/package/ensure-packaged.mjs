// Makes out/ when one of its sources changed since it was made last.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, filesUnder, hashOf, root, say, sourcesOfBins } from "../setup.mjs";

const out = join(root, "out");
const stamp = join(out, ".made-from");

/** The directory of the packages, which are up to date when this is over. */
export async function ensurePackaged() {
  ensureInstalled();
  const wanted = hashOf(sources());
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return out;
  ensureBuilt();
  say("packaging");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const { makeJeeves } = await import("./jeeves.mjs");
  const { makeLibrary } = await import("./library.mjs");
  const jeeves = makeJeeves(join(out, "jeeves"));
  const library = await makeLibrary(join(out, "prune"));
  const { pack } = await import("./pack.mjs");
  for (const dir of [jeeves, library]) pack(dir, out);
  const { makePlugins } = await import("./plugins.mjs");
  await makePlugins(out, jeeves);
  writeFileSync(stamp, wanted);
  return out;
}

function sources() {
  const texts = ["LICENSE", "docs/npm.md", "docs/clients.md", "packages/prune/README.md", "scripts/package.mjs"];
  const folders = ["scripts/package", "packages/cli/bin"];
  return [
    ...sourcesOfBins(),
    ...texts.map((name) => join(root, name)),
    ...folders.flatMap((name) => filesUnder(join(root, name))),
  ];
}
