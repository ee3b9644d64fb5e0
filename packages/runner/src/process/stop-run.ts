// How a run is stopped early: by its caller, or by its time limit.

/** A run's abort signal and its reason: `timedOut` is true only where the time limit came before the caller's abort. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly timedOut: boolean;
  /** To be called when the run is over. */
  clear(): void;
}

/** Joins the caller's signal and the time limit in one signal. `onStop` is called before it aborts. */
export function createStop(
  request: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  options: { readonly onStop: () => void },
): Stop {
  const controller = new AbortController();
  let timedOut = false;
  const onAbort = () => {
    options.onStop();
    controller.abort();
  };
  const onTimeout = () => {
    timedOut = !controller.signal.aborted;
    onAbort();
  };
  request.signal?.addEventListener("abort", onAbort, { once: true });
  if (request.signal?.aborted === true) onAbort();
  const timer = request.timeoutMs === undefined ? undefined : setTimeout(onTimeout, request.timeoutMs);
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    clear() {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
    },
  };
}
