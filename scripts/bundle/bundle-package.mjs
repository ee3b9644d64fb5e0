// The bins of one package as a bundle: one import of a few files instead of hundreds. What loads lazily in the source
// (`import()`) becomes a chunk of its own. esbuild splits ES modules only, so its chunks are made CommonJS here.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build, transform } from "esbuild";
import { parseAst } from "vite";
import { root } from "../setup.mjs";
import { alias } from "./alias.mjs";

// Found at run time: a binary cannot be bundled.
const external = ["@vscode/ripgrep", "@photostructure/sqlite"];
const target = "node20.19";
const ENTRY = readFileSync(new URL("entry.mjs", import.meta.url), "utf8");
const SHEBANG = "#!/usr/bin/env node\n";
/** Of what esbuild puts above a chunk, the parts that copy a module, and the names that they need. */
const COPYING =
  /,__copyProps=\(to,from.*?__toCommonJS=mod=>__copyProps\(__defProp\(\{\},"__esModule",\{value:!0\}\),mod\)(?=;)/s;
const NAMES =
  /^(?:var __\w+=Object\.\w+;)*var __(?:getProtoOf=Object\.getPrototypeOf,__)?hasOwnProp=Object\.prototype\.hasOwnProperty;/;

/** The options of every bundle of ours. */
export const common = {
  bundle: true,
  format: "esm",
  platform: "node",
  target,
  alias,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};

/**
 * Writes dist/ of the package in `dir`.
 * @returns the names of its entries
 */
export async function bundlePackage(dir, bins) {
  const outdir = join(dir, "dist");
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: bins.map((bin) => sourceOf(dir, bin)),
    outdir,
    splitting: true,
    external,
    define: { "import.meta.url": "__url" },
    chunkNames: "chunks/[name]-[hash]",
    metafile: true,
    write: false,
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([file, output]) => [resolve(file), output]));
  const files = new Map();
  for (const { path, text } of outputFiles) {
    const { entryPoint, imports } = outputs.get(path);
    const isBin = entryPoint !== undefined && dirname(path) === outdir;
    const code = await toCommonJs(text, imports, isBin ? basename(path) : undefined);
    if (!isBin) {
      files.set(join("chunks", chunkName(path)), code);
      continue;
    }
    const hash = createHash("sha256").update(code).digest("hex").slice(0, 8);
    const chunk = `${basename(path, ".js")}-${hash}.cjs`;
    files.set(join("chunks", chunk), code);
    const entry = await transform(ENTRY.replace('"CHUNK"', JSON.stringify(chunk)), { ...minified(), format: "esm" });
    files.set(basename(path), SHEBANG + entry.code);
  }
  write(outdir, files);
  for (const bin of bins) chmodSync(join(dir, bin), 0o755);
}

function sourceOf(dir, bin) {
  const source = join(dir, bin.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts"));
  if (!existsSync(source)) throw new Error(`${relative(root, dir)} names a bin without a source: ${source}`);
  return source;
}

const minified = () => ({ target, minifySyntax: true, minifyWhitespace: true, logLevel: "warning" });
const chunkName = (path) => basename(path).replace(/\.js$/, ".cjs");

/** A file of esbuild's as CommonJS; `bin`: the entry whose program it is, which is what `import.meta.url` means there. */
async function toCommonJs(text, imports, bin) {
  let code = text.startsWith("#!") ? text.slice(text.indexOf("\n") + 1) : text;
  for (const { path, kind, external } of imports) {
    if (external) continue;
    const name = chunkName(path);
    const literals = ["./", "./chunks/"].map((before) => `"${before}${basename(path)}"`);
    const there = `require("./${name}")`;
    for (const literal of literals) {
      if (kind === "dynamic-import")
        code = code.replaceAll(`import(${literal})`, `Promise.resolve().then(()=>${there})`);
      else code = code.replaceAll(literal, `"./${name}"`);
    }
  }
  const url = `var __url=require("node:url").pathToFileURL(${
    bin === undefined ? "__filename" : `require("node:path").join(__dirname,"..",${JSON.stringify(bin)})`
  }).href;`;
  const made = await transform(code.includes("__url") ? url + code : code, { ...minified(), format: "cjs" });
  if (/"\.\/[^"]*-[A-Z0-9]{8}\.js"/.test(made.code)) throw new Error("an import was not found in the metafile");
  return `"use strict";${withOwnImport(toAscii(withOwnExports(made.code)))}`;
}

/** Code from bytecode cannot use `import()`: V8 no longer knows its module. The entry imports for it. */
function withOwnImport(code) {
  const places = [];
  JSON.stringify(parseAst(code), (_key, node) => {
    if (node?.type === "ImportExpression") places.push(node.start);
    return typeof node === "bigint" ? String(node) : node;
  });
  return places.sort((a, b) => b - a).reduce((text, at) => `${text.slice(0, at)}__${text.slice(at)}`, code);
}

/** esbuild makes every export twice, for callers that load a chunk in other ways than ours. */
function withOwnExports(code) {
  const twice = ["var stdin_exports={};", "module.exports=__toCommonJS(stdin_exports);"];
  if (!code.includes("stdin_exports")) return code;
  if (twice.some((part) => code.split(part).length !== 2)) throw new Error("esbuild makes exports in another way");
  const once = twice.reduce((text, part) => text.replace(part, ""), code).replaceAll("stdin_exports", "exports");
  const copies = ["__toESM(", "__copyProps("].some((use) => once.replace(COPYING, "").includes(use));
  return copies ? once : once.replace(COPYING, "").replace(NAMES, "var __defProp=Object.defineProperty;");
}

/** esbuild writes patterns as they are. A text of ASCII alone takes one byte a character in memory, and is read faster. */
function toAscii(code) {
  if (/\.raw`[^`]*[^\0-\x7f]/.test(code.replace(/\.raw`[\0-\x5f\x61-\x7f]*`/g, "")))
    throw new Error("raw text that is not ASCII");
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function write(outdir, files) {
  mkdirSync(join(outdir, "chunks"), { recursive: true });
  for (const [name, code] of files) writeFileSync(join(outdir, name), code);
  // Stale files go after the new ones are there: a server that runs from here must not find an empty directory.
  for (const name of readdirSync(outdir, { recursive: true, encoding: "utf8" })) {
    if (/\.(?:c?js|bytecode)$/.test(name) && !files.has(name)) rmSync(join(outdir, name), { force: true });
  }
  // Written last: tells a complete build from one that was interrupted.
  const sizes = [...files].map(([name, code]) => [name, Buffer.byteLength(code)]);
  writeFileSync(join(outdir, "built.json"), `${JSON.stringify(Object.fromEntries(sizes))}\n`);
}
