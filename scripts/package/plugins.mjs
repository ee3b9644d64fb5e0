// The plugins, the bundle, the registry's entry and the snippets. Plugins and the bundle are the package with a few files
// beside it, which packages/cli makes from the tables that `jeeves init` uses.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importBundled } from "../../bench/bundle.mjs";
import { root } from "../setup.mjs";
import { readJson } from "./manifest.mjs";
import { zipFolder } from "./zip.mjs";

/** Where a marketplace has its one plugin. */
const FOLDER = "./plugins/jeeves";

/** Makes them in `out`; `jeeves` is the folder of the npm package. */
export async function makePlugins(out, jeeves) {
  const { plugins } = await importBundled("package", { plugins: "packages/cli/src/plugins/all.ts" });
  const { version, description, license, keywords, engines, mcpName } = readJson("package.json");
  const about = { name: "jeeves", version, description, license, keywords };

  const claude = join(out, "claude-code");
  writeFiles(claude, plugins.claudeMarketplace(about, FOLDER));
  makePlugin(join(claude, FOLDER), plugins.claudePlugin(about));
  const codex = join(out, "codex");
  writeFiles(codex, plugins.codexMarketplace(about, FOLDER));
  makePlugin(join(codex, FOLDER), plugins.codexPlugin(about));
  makePlugin(join(out, "gemini"), plugins.geminiExtension(about));
  makePlugin(join(out, "opencode"), plugins.opencodePlugin(about, engines));
  makePlugin(join(out, "mcpb"), plugins.mcpBundle(about, engines));
  writeFileSync(join(out, `jeeves-${version}.mcpb`), zipFolder(join(out, "mcpb")));
  writeFiles(out, plugins.registryEntry(about, mcpName));
  writeFiles(join(out, "snippets"), snippets());

  function makePlugin(dir, files) {
    cpSync(jeeves, dir, { recursive: true });
    writeFiles(dir, files);
  }
}

/** What docs/clients.md shows, as files: of each client that is given our server by hand. */
function snippets() {
  const docs = readFileSync(join(root, "docs", "clients.md"), "utf8");
  const sections = docs.split(/^## /m).slice(1);
  const found = sections.flatMap((section) => {
    const name = section.slice(0, section.indexOf("\n")).toLowerCase().replaceAll(" ", "-");
    const [, text = ""] = /^```json\n(.*?)^```/ms.exec(section) ?? [];
    return /"(?:mcpServers|servers)"/.test(text) ? [[`${name}.json`, text]] : [];
  });
  return Object.fromEntries(found);
}

function writeFiles(dir, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}
