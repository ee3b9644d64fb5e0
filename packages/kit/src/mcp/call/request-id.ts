// The id of a request in our own events (J-77). Never the client's id, which it may use twice.
import { randomUUID } from "node:crypto";

/** A random UUID. */
export function newRequestId(): string {
  return randomUUID();
}
