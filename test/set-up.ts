// What the tests need before the first one: fresh bins, also for whoever starts vitest directly, and socat, which the
// haven's clients speak through.
import { ensureBuilt } from "../scripts/setup.mjs";
import { findSystemProgram, SOCAT } from "../scripts/system-program.mjs";

export default function setup(): void {
  ensureBuilt();
  findSystemProgram(SOCAT, { canInstall: true });
}
