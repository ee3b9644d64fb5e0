// What ends a stdio server from outside, besides the end of its input: a signal, or a parent that is gone.

export interface StopWatch {
  /** Resolves once, with what happened. */
  readonly stopped: Promise<string>;
  close(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const PARENT_POLL_MS = 1_000;

export function watchForStop(): StopWatch {
  let stop: (cause: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  for (const signal of SIGNALS) process.on(signal, stop);
  // An orphan is handed to another parent. Usually stdin ends as well; not when a sibling still holds the pipe.
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid !== parent) stop("parent gone");
  }, PARENT_POLL_MS);
  poll.unref();
  return {
    stopped,
    close() {
      clearInterval(poll);
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
