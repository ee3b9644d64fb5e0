// Faults of the state directory as lines on stderr, one per cause. The command goes on without what it cannot read
// or write.
import { hasOverdueWork, onStateFault } from "@jeeves/state";
import { atEnd } from "./at-end.ts";

/** Also ends the process where a disk that hangs would keep it. */
export function tellStateFaults(): void {
  onStateFault(({ what, message }) => process.stderr.write(`jeeves: ${what}: ${message}\n`));
  atEnd(endIfStuck);
}

/** Once what was printed has left. An exit would wait for the system call that hangs. */
export async function endIfStuck(): Promise<void> {
  if (!hasOverdueWork()) return;
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  process.kill(process.pid, "SIGKILL");
}
