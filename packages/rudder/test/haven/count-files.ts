// How often this process asks the system about files: every call of node:fs and node:fs/promises, by whoever makes it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Counts from now on, until `stop`. */
export function countFileCalls(): { count(): number; stop(): void } {
  let calls = 0;
  const undo = [fs, fs.promises].map((module) => {
    const before = Object.entries(module).filter(([name, value]) => /^[a-z]/.test(name) && typeof value === "function");
    for (const [name, own] of before) {
      const counted = function (this: unknown, ...args: unknown[]): unknown {
        calls += 1;
        return Reflect.apply(own, this, args);
      };
      Object.assign(module, { [name]: Object.assign(counted, own) });
    }
    return () => Object.assign(module, Object.fromEntries(before));
  });
  syncBuiltinESMExports();
  return {
    count: () => calls,
    stop() {
      for (const one of undo) one();
      syncBuiltinESMExports();
    },
  };
}
