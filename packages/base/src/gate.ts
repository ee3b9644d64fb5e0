// A bound on how much runs at once. The rest wait in the order of their arrival; a cancelled one stops waiting.

/** Lets a fixed number in at once. */
export interface Gate {
  /** How many are inside now. */
  readonly inside: number;
  /** How many wait now. */
  readonly waiting: number;
  /** Resolves to the function that gives the place back, or to undefined if the signal aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Creates a gate with so many places. */
export function createGate(places: number): Gate {
  const queue = new Set<() => void>();
  let inside = 0;

  /** Gives the place to the next in the queue. Only the first call counts. */
  function createLeave(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const [next] = queue;
      if (next === undefined) inside--;
      else next();
    };
  }

  return {
    get inside() {
      return inside;
    },
    get waiting() {
      return queue.size;
    },
    enter(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (inside < places) {
        inside++;
        return Promise.resolve(createLeave());
      }
      return new Promise((resolve) => {
        const proceed = () => {
          queue.delete(proceed);
          signal.removeEventListener("abort", giveUp);
          resolve(createLeave());
        };
        const giveUp = () => {
          queue.delete(proceed);
          resolve(undefined);
        };
        queue.add(proceed);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
