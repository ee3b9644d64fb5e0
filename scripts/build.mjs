// Bundles every bin that a package names into that package's dist/, because start-up is felt on every session. Then the
// viewer's page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");
const { bundlePackage, common } = await import("./bundle/bundle-package.mjs");
const { compileAhead } = await import("./bundle/compile-ahead.mjs");

const entries = [];
for (const name of readdirSync(join(root, "packages")).sort()) {
  const dir = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  // A bin that is no JavaScript (a launcher in sh) is not bundled.
  const bins = Object.values(manifest.bin ?? {}).filter((bin) => bin.endsWith(".js"));
  if (bins.length === 0) continue;
  await bundlePackage(dir, bins);
  entries.push(...bins.map((bin) => join(dir, bin)));
}
await compileAhead(entries);
// Files that need nothing beside them: `jeeves init` copies them to where they outlive this clone.
for (const name of ["jeeves-uninstall", "opencode-plugin"]) {
  await build({
    ...common,
    entryPoints: [join(root, "packages", "cli", "src", `${name}.ts`)],
    outfile: join(root, "packages", "cli", "dist", `${name}.mjs`),
  });
}
await import("./build-viewer.mjs");
