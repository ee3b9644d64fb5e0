// The data of a view: requested once, and again whenever the server reports a change. Old data stay on the screen until new
// ones are there.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, followLive, getJson, type Query } from "./api.ts";

interface Fetched<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

/**
 * The JSON at `path`, requested again when path, query or `version` change. Until the answer is there, a new version keeps
 * the old value, a new path or query has none. `error` is that of the last request.
 */
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
        // Where the server did not answer, the old value stays beside the error; where it refused, the value is gone.
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

/** A number that grows whenever the server reports a change of `topic`, or the connection was lost. */
export function useLive(topic: "runs" | "run" | "savings" | "haven" | "none", id?: string): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let isFirst = true;
    void followLive(
      { topic, id },
      {
        onChange: () => {
          // The first event reports the present state, which the view has just requested itself.
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

/** The time in milliseconds, renewed every `everyMs`, for ages and countdowns. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A function that never changes and always calls the newest `use`: for listeners that are set once. */
export function useLatest<Args extends readonly unknown[], T>(use: (...args: Args) => T): (...args: Args) => T {
  const latest = useRef(use);
  latest.current = use;
  return useCallback((...args: Args) => latest.current(...args), []);
}
