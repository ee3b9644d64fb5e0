// So many at once; the others wait their turn, and leave the queue when their signal says so.

export interface Gate {
  readonly inside: number;
  readonly waiting: number;
  /** Resolves inside: whoever came in must leave. Rejects with the signal's reason, outside. */
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
}

export function createGate(places: number): Gate {
  const queue: (() => void)[] = [];
  let inside = 0;
  return {
    get inside() {
      return inside;
    },
    get waiting() {
      return queue.length;
    },
    async enter(signal) {
      signal.throwIfAborted();
      if (inside < places) {
        inside++;
        return;
      }
      await new Promise<void>((go, fail) => {
        const proceed = () => {
          signal.removeEventListener("abort", giveUp);
          go();
        };
        const giveUp = () => {
          queue.splice(queue.indexOf(proceed), 1);
          fail(signal.reason);
        };
        queue.push(proceed);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    leave() {
      const next = queue.shift();
      if (next === undefined) inside--;
      else next(); // the place goes to the next one
    },
  };
}
