// What the browser tests need before the first one: fresh bins, the built page, and a Chromium.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, root } from "../../scripts/setup.mjs";
import { findChromium } from "./find-chromium.ts";

export default function setUp(): void {
  ensureBuilt();
  const built = spawnSync(process.execPath, [join(root, "scripts", "build-viewer.mjs")], { stdio: ["ignore", 2, 2] });
  if (built.status !== 0) throw new Error("the page could not be built");
  findChromium({ canInstall: true });
}
