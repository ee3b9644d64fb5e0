// What the browser tests need before the first one: fresh bins, the page among them, and a Chromium.
import { findChromium } from "../../scripts/find-chromium.mjs";
import { ensureBuilt } from "../../scripts/setup.mjs";

export default function setUp(): void {
  ensureBuilt();
  findChromium({ canInstall: true });
}
