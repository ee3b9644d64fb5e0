// Bundles every bin that a package names into that package's dist/: one import of a few files instead of hundreds,
// because start-up is felt on every session. What loads lazily in the source (`import()`) becomes a chunk of its own.
// Then the viewer's page.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { alias } from "./bundle-alias.mjs";
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");

// Found at run time: a binary cannot be bundled.
const external = ["@vscode/ripgrep", "@photostructure/sqlite"];
// Bundled CommonJS asks for `require`; an ES module has none of its own.
const banner =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

for (const name of readdirSync(join(root, "packages")).sort()) {
  const dir = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  // A bin that is no JavaScript (a launcher in sh) is what it is.
  const bins = Object.values(manifest.bin ?? {}).filter((bin) => bin.endsWith(".js"));
  const entryPoints = bins.map((bin) => join(dir, bin.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")));
  const missing = entryPoints.filter((entry) => !existsSync(entry));
  if (missing.length > 0) throw new Error(`${manifest.name} names a bin without a source: ${missing.join(", ")}`);
  if (entryPoints.length === 0) continue;
  const outdir = join(dir, "dist");
  const { metafile } = await build({
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: false,
    external,
    alias,
    banner: { js: banner },
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
    metafile: true,
  });
  // Stale chunks go after the new ones are there: a server that runs from here must not find an empty directory.
  const made = new Set(Object.keys(metafile.outputs).map((file) => resolve(file)));
  for (const file of readdirSync(outdir, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".js") && !made.has(join(outdir, file))) rmSync(join(outdir, file), { force: true });
  }
  for (const bin of bins) chmodSync(join(dir, bin), 0o755);
  // Written last: tells a complete build from one that was interrupted.
  const sizes = Object.entries(metafile.outputs).map(([file, { bytes }]) => [relative(outdir, resolve(file)), bytes]);
  writeFileSync(join(outdir, "built.json"), `${JSON.stringify(Object.fromEntries(sizes))}\n`);
}
// Files that need nothing beside them: `jeeves init` copies them to where they outlive this clone.
for (const name of ["jeeves-uninstall", "opencode-plugin"]) {
  await build({
    entryPoints: [join(root, "packages", "cli", "src", `${name}.ts`)],
    outfile: join(root, "packages", "cli", "dist", `${name}.mjs`),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    alias,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  });
}
await import("./build-viewer.mjs");
