// Where our built programs are: beside this file's bundle, or in the package's dist/ when this runs from the source.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RudderError } from "../rudder-error.ts";

const LEVELS = 4;

export function builtFile(name: "rudder-server.js" | "rudder-bridge.js", from: string = import.meta.url): string {
  let dir = dirname(fileURLToPath(from));
  for (let level = 0; level < LEVELS; level++) {
    // In another package's bundle (`jeeves` carries us along), ours lies in the neighbour's dist.
    const near = [join(dir, name), join(dir, "dist", name), join(dir, "rudder", "dist", name)];
    const found = near.find((path) => existsSync(path));
    if (found !== undefined) return found;
    dir = dirname(dir);
  }
  throw new RudderError("not_found", `${name} has not been built`, { hint: "in jeeves' own directory: npm run build" });
}
