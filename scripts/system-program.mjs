// A program of the system that tests need: on the PATH, or installed with apt-get where that is ours to do (as root, on
// Debian). Without it tests fail; they are never skipped, because a skipped test shows nothing.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { say } from "./setup.mjs";

export const CHROMIUM = {
  package: "chromium",
  names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
};
export const BWRAP = { package: "bubblewrap", names: ["bwrap"] };
export const SOCAT = { package: "socat", names: ["socat"] };

/** The path of the program; throws where there is none and none can be installed. */
export function findSystemProgram(program, { canInstall = false } = {}) {
  const found = onPath(program) ?? (canInstall && install(program) ? onPath(program) : undefined);
  if (found !== undefined) return found;
  throw new Error(
    `\n\n  MISSING: none of ${program.names.join(", ")} is on the PATH.\n` +
      `  Tests need it: apt-get install ${program.package} (Debian), or put one of these names on the PATH.\n`,
  );
}

function onPath({ names }) {
  const files = (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((dir) => names.map((name) => join(dir, name)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function install(program) {
  if (process.getuid?.() !== 0) return false;
  say(`installing ${program.package} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] }).status === 0;
  const get = () => apt("install", "-y", "--no-install-recommends", program.package);
  return get() || (apt("update") && get());
}
