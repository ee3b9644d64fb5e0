// Reads a provider's stream to its end, whatever the provider does: every event is passed on, an error ends the run, and a
// provider that does not stop when it is aborted is given up after a while.
import { within } from "@jeeves/base";
import type { AgentProvider, ProviderEvent, ProviderRunOptions } from "./provider.ts";
import { messageOf, RunnerError } from "./runner-error.ts";

const STUCK_MS = 5_000;

/** How a provider's stream ended. `text` is the agent's last answer, `message` why the run was not completed. */
export interface ProviderEnd {
  readonly status: Extract<ProviderEvent, { kind: "ended" }>["status"];
  readonly text: string;
  readonly message?: string;
  /** Set only where the agent could not be started. */
  readonly error?: RunnerError;
}

/**
 * Runs a provider to its end, and awaits `onEvent` for each event before the next one is read. Never rejects: an error is
 * part of the result, and a provider that goes on for 5 seconds after an abort is given up as `cancelled`.
 */
export async function drainProvider(
  provider: AgentProvider,
  call: { readonly prompt: string; readonly options: ProviderRunOptions; onEvent(event: ProviderEvent): Promise<void> },
): Promise<ProviderEnd> {
  const { signal } = call.options;
  const stuck = afterAbort(signal, STUCK_MS);
  let end: ProviderEnd = { status: "failed", text: "", message: "the agent's stream ended without saying how" };
  try {
    const events = provider.run(call.prompt, call.options)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([events.next(), stuck.promise]);
      if (next === "stuck") return { ...end, status: "cancelled", message: "the agent did not stop in time" };
      if (next.done === true) return end;
      try {
        await call.onEvent(next.value);
      } catch (error) {
        // The provider is between two events: this runs its clean-up.
        await within(STUCK_MS, Promise.resolve(events.return?.()));
        throw error;
      }
      if (next.value.kind === "ended") {
        const { status, text, message } = next.value;
        end = { status, text, ...(message === undefined ? {} : { message }) };
      }
    }
  } catch (error) {
    if (signal.aborted) return { ...end, status: "cancelled" };
    return { ...end, message: messageOf(error), ...(error instanceof RunnerError ? { error } : {}) };
  } finally {
    stuck.clear();
  }
}

function afterAbort(signal: AbortSignal, waitMs: number): { readonly promise: Promise<"stuck">; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const promise = new Promise<"stuck">((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve("stuck"), waitMs);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  return {
    promise,
    clear() {
      signal.removeEventListener("abort", onAbort);
      clearTimeout(timer);
    },
  };
}
