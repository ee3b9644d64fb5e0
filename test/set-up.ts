// What the tests need before the first one: fresh bins, also where vitest is started directly, and socat, which the
// haven's clients speak through. An ordinary user cannot install it: there a small program of ours takes its place.
import { delimiter, join } from "node:path";
import { ensureBuilt, root, say } from "../scripts/setup.mjs";
import { findSystemProgram, SOCAT } from "../scripts/system-program.mjs";

export default function setup(): void {
  ensureBuilt();
  try {
    findSystemProgram(SOCAT, { canInstall: true });
  } catch {
    say("socat is not installed: its tests run with the stand-in in test/stand-ins");
    process.env.PATH = [process.env.PATH, join(root, "test", "stand-ins")].filter(Boolean).join(delimiter);
  }
}
