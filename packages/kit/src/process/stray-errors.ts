// Uncaught errors: a rejected promise without a handler, a throw in a callback. No request can be answered any
// more, but they are logged (J-18), and one tool's slip does not take the calls of all others down with it.
import type { Events } from "../events/index.ts";
import { stackOf } from "./stack-of.ts";

/** Returns the function that stops catching. */
export function catchStrayErrors(events: Events): () => void {
  const log = (error: unknown) => events.emit("error", "tool.internal_error", { stack: stackOf(error) });
  process.on("uncaughtException", log).on("unhandledRejection", log);
  return () => {
    process.off("uncaughtException", log).off("unhandledRejection", log);
  };
}
