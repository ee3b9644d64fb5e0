// The npm package `@jeeves/prune`: the engine as a library, bundled, with its types and the grammars. No dependencies.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { build } from "esbuild";
import { root, run } from "../setup.mjs";
import { copyGrammars } from "./grammars.mjs";
import { writeLicences } from "./licences.mjs";
import { readJson, writeManifest } from "./manifest.mjs";

const SOURCE = join(root, "packages", "prune");
const BUNDLED = ["web-tree-sitter", "@vscode/tree-sitter-wasm"];

/** Makes the package in `dir`. */
export async function makeLibrary(dir) {
  const { name, description, exports } = readJson("packages", "prune", "package.json");
  const entries = Object.entries(exports).map(([path, file]) => ({
    path,
    file: posix.normalize(file),
    // "." is the index, "./text" is text.js.
    out: path === "." ? "index" : path.slice("./".length),
  }));
  await build({
    entryPoints: Object.fromEntries(entries.map(({ file, out }) => [out, join(SOURCE, file)])),
    outdir: join(dir, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
  });
  copyTypes(entries, join(dir, "types"));
  copyGrammars(join(dir, "grammars"));
  cpSync(join(SOURCE, "README.md"), join(dir, "README.md"));
  const toExport = ({ path, file, out }) => [
    path,
    { types: `./types/${file.replace(/^src\/(.*)\.ts$/, "$1.d.ts")}`, default: `./dist/${out}.js` },
  ];
  writeManifest(dir, {
    name,
    description,
    keywords: readJson("package.json").keywords,
    sideEffects: false,
    publishConfig: { access: "public" },
    exports: Object.fromEntries([...entries.map(toExport), ["./package.json", "./package.json"]]),
    files: ["dist/", "types/", "grammars/", "THIRD-PARTY-LICENSES.txt"],
  });
  writeLicences(dir, (each) => BUNDLED.includes(each));
  return dir;
}

/** The declarations that the entries reach. They name each other as JavaScript does, which every resolution mode knows. */
function copyTypes(entries, into) {
  run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b", SOURCE]);
  const made = join(root, ".cache", "tsc", "prune");
  const waiting = entries.map(({ file }) => file.replace(/\.ts$/, ".d.ts"));
  const done = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const text = readFileSync(join(made, file), "utf8");
    const fixed = text.replace(/(from |import\()"([^"]+)"/g, (_, before, target) => {
      if (!/^\.{1,2}\/.*\.ts$/.test(target)) throw new Error(`the types of ${file} need ${target}`);
      waiting.push(posix.join(posix.dirname(file), target).replace(/\.ts$/, ".d.ts"));
      return `${before}"${target.replace(/\.ts$/, ".js")}"`;
    });
    const path = join(into, file.slice("src/".length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fixed);
  }
}
