// A file in another encoding can be shown with replacement characters; written back so, it would lose letters.
import { isUtf8 } from "node:buffer";
import { RudderError } from "../rudder-error.ts";

/** Throws `broken_artefact` where a file that is to be changed is not UTF-8. */
export function requireUtf8(bytes: Uint8Array, path: string): void {
  if (isUtf8(bytes)) return;
  throw new RudderError("broken_artefact", `${path} is not UTF-8, so changing it would lose some of its letters`, {
    hint: "save it as UTF-8, then run the command again: nothing was changed",
    details: { path },
  });
}
