// What the browser tests need before the first one: fresh bins, the page among them, and a Chromium.

import { ensureBuilt } from "../../scripts/setup.mjs";
import { CHROMIUM, findSystemProgram } from "../../scripts/system-program.mjs";

export default function setUp(): void {
  ensureBuilt();
  findSystemProgram(CHROMIUM, { canInstall: true });
}
