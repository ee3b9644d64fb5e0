// A file in another encoding can be shown, with its strange letters replaced; written back so, they would be lost.
import { isUtf8 } from "node:buffer";
import { RudderError } from "../rudder-error.ts";

export function requireUtf8(bytes: Uint8Array, path: string): void {
  if (isUtf8(bytes)) return;
  throw new RudderError("broken_artefact", `${path} is not UTF-8, so changing it would lose some of its letters`, {
    hint: "save it as UTF-8, then run the command again: nothing was changed",
    details: { path },
  });
}
