// How many tool calls run at once. The rest wait in the order of their arrival; one that is cancelled waits no longer.

export interface Gate {
  /** Resolves to the function that gives the place back, or undefined when the signal came first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createGate(places: number): Gate {
  let free = places;
  const waiting = new Set<() => void>();

  const leaveOnce = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = waiting;
      if (next === undefined) free++;
      else next();
    };
  };

  return {
    enter(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free--;
        return Promise.resolve(leaveOnce());
      }
      return new Promise((resolve) => {
        const proceed = () => {
          waiting.delete(proceed);
          signal.removeEventListener("abort", giveUp);
          resolve(leaveOnce());
        };
        const giveUp = () => {
          waiting.delete(proceed);
          resolve(undefined);
        };
        waiting.add(proceed);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
