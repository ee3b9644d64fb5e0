// Uncaught errors: a rejected promise without a handler, a throw in a callback. Their request gets no
// answer, but they are logged (J-18), and the calls of other tools go on.
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
