// Faults of the state directory as lines on stderr, one per cause. The command goes on without what it cannot read
// or write.
import { hasOverdueWork, onStateFault } from "@jeeves/state";
import { atEnd } from "./at-end.ts";

/** Prints faults from now on, and lets the command end where a disk hangs. */
export function tellStateFaults(): void {
  onStateFault(({ what, message }) => process.stderr.write(`jeeves: ${what}: ${message}\n`));
  atEnd(endIfStuck);
}

/** Kills this process where a system call hangs, once all output is written: process.exit would wait for that call. */
export async function endIfStuck(): Promise<void> {
  if (!hasOverdueWork()) return;
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  process.kill(process.pid, "SIGKILL");
}
