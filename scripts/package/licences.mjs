// The licences of the packages whose code is inside ours.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";
import { readJson } from "./manifest.mjs";

/** Writes THIRD-PARTY-LICENSES.txt into `dir`. `isInside`: whether the package of that name is bundled. */
export function writeLicences(dir, isInside) {
  const parts = [];
  for (const [path, { version, license, dev, link }] of Object.entries(readJson("package-lock.json").packages)) {
    const name = path.split("node_modules/").at(-1);
    if (!path.includes("node_modules/") || dev || link || !isInside(name) || !existsSync(join(root, path))) continue;
    const file = readdirSync(join(root, path)).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, path, file), "utf8").trim();
    parts.push(`${name} ${version}\n\n${text}\n`);
  }
  writeFileSync(join(dir, "THIRD-PARTY-LICENSES.txt"), parts.sort().join(`\n${"-".repeat(80)}\n\n`));
}
