// The end of a program that may have a system call in flight that never returns: `process.exit` waits for Node's threads,
// and so for that call.
import { hasOverdueWork } from "@jeeves/state";

/** Exits with `code`, or by SIGKILL where a hanging system call would keep the process for ever. */
export function endProcess(code: number): never {
  if (hasOverdueWork()) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}
