// The end of the log's growth: a server lives for weeks, and its stderr goes to haven/mcp.log. Past the bound the file
// starts anew; what was said at the start matters less than that the disk has room.
import { fstatSync, ftruncateSync, statSync } from "node:fs";

const MAX_BYTES = 8 * 1024 * 1024;
const LOOK_MS = 30_000;
const STDERR = 2;

/** Returns the function that stops looking. Only where stderr is that very file: it was opened to append. */
export function boundLog(
  path: string,
  options: { readonly maxBytes?: number; readonly lookMs?: number } = {},
): () => void {
  const { maxBytes = MAX_BYTES, lookMs = LOOK_MS } = options;
  const look = (): void => {
    try {
      const own = fstatSync(STDERR);
      if (own.isFile() && own.size > maxBytes && own.ino === statSync(path).ino) ftruncateSync(STDERR, 0);
    } catch {
      // No such file, or none that may be cut: then it is not ours to bound.
    }
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
