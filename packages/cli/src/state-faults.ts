// What is wrong with the state directory, for somebody at a terminal: a line on stderr for each cause. The command
// goes on without what cannot be read or written.
import { hasOverdueWork, onStateFault } from "@jeeves/state";

export function tellStateFaults(): void {
  onStateFault(({ what, message }) => process.stderr.write(`jeeves: ${what}: ${message}\n`));
}

/** A disk that hangs would keep this process for ever: ends it, once what it printed has left. */
export async function endIfStuck(): Promise<void> {
  if (!hasOverdueWork()) return;
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  process.kill(process.pid, "SIGKILL");
}
