// Reasons to end a server: a signal and, for a server that its client started, the end of the parent process.

/** A watch for the end of this process. */
export interface StopWatch {
  /** Resolves once, with what happened. */
  readonly stopped: Promise<string>;
  close(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const PARENT_POLL_MS = 1_000;

/** Watches for SIGTERM, SIGINT, SIGHUP and, with `withParent`, the end of the parent process. */
export function watchForStop(options: { readonly withParent: boolean }): StopWatch {
  let stop: (cause: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  for (const signal of SIGNALS) process.on(signal, stop);
  // An orphan gets another parent. Usually stdin ends as well, but not where another process still has the pipe open.
  // A service may well outlive the shell that started it.
  const parent = process.ppid;
  const check = () => {
    if (process.ppid !== parent) stop("parent gone");
  };
  const poll = options.withParent ? setInterval(check, PARENT_POLL_MS).unref() : undefined;
  return {
    stopped,
    close() {
      clearInterval(poll);
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
