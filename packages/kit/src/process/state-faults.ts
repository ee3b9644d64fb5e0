// what is wrong with the state directory costs a warning event, and no answer.
import { onStateFault } from "@jeeves/state";
import type { Events } from "../events/index.ts";

/** Emits `state.fault` once per cause. Returns the function that stops it. */
export function reportStateFaults(events: Pick<Events, "emit">): () => void {
  return onStateFault((fault) => events.emit("warn", "state.fault", fault));
}
