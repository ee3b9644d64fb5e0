// The npm package `jeeves`: every bin as it was built, in the clone's own layout (packages/NAME/dist), the page, the
// grammars and the launchers. It depends on ripgrep alone, which comes prebuilt for each platform: SQLite's package has
// those of all platforms and its sources in it, and would take what is installed past 70 MB.
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../setup.mjs";
import { copyGrammars } from "./grammars.mjs";
import { writeLicences } from "./licences.mjs";
import { readJson, writeManifest } from "./manifest.mjs";

const RIPGREP = "@vscode/ripgrep";
/** What `jeeves demo` cuts. */
const DEMO = "packages/kit/src/http/serve-http.ts";

/** What clients without `jeeves init` are given by hand. */
const CLIENTS = "docs/clients.md";

/** Makes the package in `dir`. */
export function makeJeeves(dir) {
  const names = readdirSync(join(root, "packages")).sort();
  const bin = {};
  for (const name of names) {
    for (const part of ["dist", "bin"]) copy(dir, `packages/${name}/${part}`);
    for (const [program, file] of Object.entries(readJson("packages", name, "package.json").bin ?? {}))
      bin[program] = join("packages", name, file);
  }
  copy(dir, DEMO);
  copyGrammars(join(dir, "packages", "prune", "grammars"));
  cpSync(join(root, "docs", "npm.md"), join(dir, "README.md"));
  copy(dir, CLIENTS);
  const { description, keywords, mcpName } = readJson("package.json");
  writeManifest(dir, {
    name: "jeeves",
    description,
    keywords,
    mcpName,
    bin,
    dependencies: { [RIPGREP]: readJson("packages", "workspace", "package.json").dependencies[RIPGREP] },
    files: ["packages/", "docs/", "THIRD-PARTY-LICENSES.txt"],
  });
  writeLicences(dir, (name) => !name.startsWith(RIPGREP));
  return dir;
}

function copy(dir, path) {
  if (!existsSync(join(root, path))) return;
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  // Bytecode is for the Node of this machine.
  cpSync(join(root, path), join(dir, path), { recursive: true, filter: (file) => !file.endsWith(".bytecode") });
}
