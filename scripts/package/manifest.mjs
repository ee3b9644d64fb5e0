// What the published packages have in common: version, licence and engines are those of the root's package.json.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";

export const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));

/** Writes package.json and LICENSE into `dir`. */
export function writeManifest(dir, { name, description, ...rest }) {
  const { version, license, engines } = readJson("package.json");
  const manifest = { name, version, description, license, type: "module", engines, ...rest };
  writeFileSync(join(dir, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(dir, "LICENSE"));
}
