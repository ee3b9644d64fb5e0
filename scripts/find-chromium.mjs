// The system's Chromium: on the PATH, or installed with apt-get where that is ours to do. Without one the page's tests
// fail loudly; they are never skipped, because a page that nobody opened is not tested.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { say } from "./setup.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export function findChromium({ canInstall = false } = {}) {
  const found = onPath() ?? (canInstall && install() ? onPath() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    `\n\n  NO BROWSER: none of ${NAMES.join(", ")} is on the PATH.\n` +
      "  The page's tests need one: apt-get install chromium (Debian), or put one of these names on the PATH.\n",
  );
}

function onPath() {
  const files = (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function install() {
  if (process.getuid?.() !== 0) return false;
  say("installing chromium with apt-get");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] }).status === 0;
  const get = () => apt("install", "-y", "--no-install-recommends", "chromium");
  return get() || (apt("update") && get());
}
