// The one version of all of Jeeves: the root's package.json names it, and every server and command shows it.
import manifest from "../../../../package.json" with { type: "json" };

/** The version of this installation. */
export const VERSION: string = manifest.version;
