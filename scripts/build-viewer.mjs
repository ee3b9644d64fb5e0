// Builds the viewer's page with vite: packages/viewer/src/page → packages/viewer/dist/page. The same sources give the same
// bytes: names carry no hashes (the server reads the files once and serves them by name), and nothing depends on the clock.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { build } = await import("vite");

const viewer = join(root, "packages", "viewer");
const outDir = join(viewer, "dist", "page");
const { output } = await build({
  configFile: false,
  root: join(viewer, "src", "page"),
  base: "./",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  cacheDir: join(root, ".cache", "vite"),
  build: {
    outDir,
    // Stale files go after the new ones are there: a viewer that starts meanwhile must not find an empty directory.
    emptyOutDir: false,
    target: "es2022",
    // No inline anything: the page's policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/page.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
});

const made = new Set(output.map(({ fileName }) => fileName));
for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !made.has(file.slice(outDir.length + 1).replaceAll("\\", "/"))) rmSync(file);
}
