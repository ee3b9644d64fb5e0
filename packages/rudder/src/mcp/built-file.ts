// Where our built programs are: in this package's dist, wherever this code was bundled to.
import { findBeside } from "@jeeves/base";
import { RudderError } from "../rudder-error.ts";

/** The path of a built program of ours; throws where it has not been built. */
export function builtFile(name: "rudder-server.js" | "rudder-bridge.js", from: string = import.meta.url): string {
  // Also where the package's dist was copied elsewhere, without its name.
  const found = findBeside(`rudder/dist/${name}`, from) ?? findBeside(`dist/${name}`, from);
  if (found !== undefined) return found;
  throw new RudderError("not_found", `${name} has not been built`, { hint: "in jeeves' own directory: npm run build" });
}
