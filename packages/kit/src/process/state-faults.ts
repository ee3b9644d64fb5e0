// a problem with the state directory causes a warning event; calls are answered all the same.
import { onStateFault } from "@jeeves/state";
import type { Events } from "../events/index.ts";

/** Emits `state.fault` once per cause. Returns a function that stops that. */
export function reportStateFaults(events: Pick<Events, "emit">): () => void {
  return onStateFault((fault) => events.emit("warn", "state.fault", fault));
}
