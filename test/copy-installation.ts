// A copy of the built installation that a test may move, break or delete.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(fileURLToPath(import.meta.url), "../..");

export interface InstallationCopy {
  readonly dir: string;
  readonly packages: string;
  /** The built `jeeves` command. */
  readonly jeeves: string;
}

/** Copies what was built of every package; dependencies are linked. */
export function copyInstallation(dir: string): InstallationCopy {
  const packages = join(dir, "packages");
  for (const name of readdirSync(join(root, "packages"))) {
    for (const part of ["dist", "bin", "package.json"]) {
      const from = join(root, "packages", name, part);
      if (!existsSync(from)) continue;
      mkdirSync(join(packages, name), { recursive: true });
      cpSync(from, join(packages, name, part), { recursive: true });
    }
  }
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  return { dir, packages, jeeves: join(packages, "cli", "dist", "jeeves.js") };
}
