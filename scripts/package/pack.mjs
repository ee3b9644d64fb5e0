// A folder as the tarball that npm would publish.
import { run } from "../setup.mjs";

/** Writes NAME-VERSION.tgz into `into`. */
export function pack(dir, into) {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", into], { cwd: dir });
}
