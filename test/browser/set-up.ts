// What the browser tests need before the first one: fresh bins, the built page, and a Chromium.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "../../scripts/find-chromium.mjs";
import { ensureBuilt, root } from "../../scripts/setup.mjs";

export default function setUp(): void {
  ensureBuilt();
  const built = spawnSync(process.execPath, [join(root, "scripts", "build-viewer.mjs")], { stdio: ["ignore", 2, 2] });
  if (built.status !== 0) throw new Error("the page could not be built");
  findChromium({ canInstall: true });
}
