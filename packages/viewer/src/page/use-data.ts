// What a view shows, kept up to date: asked for once, and again whenever the server reports a change. What is on the
// screen stays there until the newer is here.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, followLive, getJson, type Query } from "./api.ts";

interface Fetched<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

export function useFetched<T>(path: string, query: Query, version: number): Fetched<T> {
  const [state, setState] = useState<Fetched<T> & { readonly key: string }>({
    key: "",
    value: undefined,
    error: undefined,
  });
  const key = JSON.stringify([path, query]);
  useEffect(() => {
    const stop = new AbortController();
    const [at, asked] = JSON.parse(key) as [string, Query];
    getJson<T>(at, asked, stop.signal).then(
      (value) => setState({ key, value, error: undefined }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const said = error instanceof ApiError ? error : new ApiError(0, String(error));
        // What went wrong is said beside what was known, unless it is gone for good.
        setState((before) => ({
          key,
          value: before.key === key && said.status === 0 ? before.value : undefined,
          error: said,
        }));
      },
    );
    return () => stop.abort();
  }, [key, version]);
  return state.key === key ? state : { value: undefined, error: undefined };
}

/** A number that grows whenever `topic` changed. */
export function useLive(topic: "runs" | "run" | "savings" | "haven" | "none", id?: string): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let isFirst = true;
    void followLive(
      { topic, id },
      {
        onChange: () => {
          // The first one reports the present state, which the view has just asked for itself.
          if (!isFirst) setVersion((before) => before + 1);
          isFirst = false;
        },
        onState: (state) => {
          document.documentElement.dataset.live = state;
          if (state === "lost") isFirst = false;
        },
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [topic, id]);
  return version;
}

/** The time, every so often, for what counts down or up. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Always the newest `use`, in a function that never changes: for listeners that are set once. */
export function useLatest<Args extends readonly unknown[], T>(use: (...args: Args) => T): (...args: Args) => T {
  const latest = useRef(use);
  latest.current = use;
  return useCallback((...args: Args) => latest.current(...args), []);
}
