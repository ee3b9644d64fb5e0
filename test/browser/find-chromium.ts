// The system's Chromium: on the PATH, or installed with apt-get where that is ours to do. Without one these tests fail
// loudly; they are never skipped, because a page that nobody opened is not tested.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export function findChromium({ canInstall = false }: { readonly canInstall?: boolean } = {}): string {
  const found = onPath();
  if (found !== undefined) return found;
  if (canInstall && install()) {
    const installed = onPath();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `\n\n  NO BROWSER: none of ${NAMES.join(", ")} is on the PATH.\n` +
      "  The page's tests need one: apt-get install chromium (Debian), or put one of these names on the PATH.\n",
  );
}

function onPath(): string | undefined {
  for (const dir of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    for (const name of NAMES) {
      const file = join(dir, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The next one.
      }
    }
  }
  return undefined;
}

function install(): boolean {
  if (process.getuid?.() !== 0) return false;
  process.stderr.write("installing chromium with apt-get\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] }).status === 0;
  return (
    apt("install", "-y", "--no-install-recommends", "chromium") ||
    (apt("update") && apt("install", "-y", "--no-install-recommends", "chromium"))
  );
}
