// The name of one request in our own events (J-77). Never the client's id, which it may use twice.
import { randomUUID } from "node:crypto";

export function newRequestId(): string {
  return randomUUID();
}
