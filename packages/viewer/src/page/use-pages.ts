// A long list loaded page by page: visible pages are requested, the least recent ones are dropped. When the list changes,
// the old rows stay on the screen until the new ones are there.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLatest } from "./use-data.ts";

const PAGE_ROWS = 200;
const MAX_PAGES = 40;

interface Pages<T> {
  at(index: number): T | undefined;
  /** Called with the rows that are on the screen. */
  show(first: number, last: number): void;
}

interface Page<T> {
  readonly rows: readonly T[];
  readonly version: number;
}

/** `load` returns the rows from `from` on, fewer at the end. A new `key` means another list: all rows are dropped. */
export function usePages<T>(options: {
  readonly key: string;
  readonly version: number;
  readonly load: (from: number, count: number, signal: AbortSignal) => Promise<readonly T[]>;
}): Pages<T> {
  const { key, version } = options;
  const pages = useRef(new Map<number, Page<T>>());
  const asked = useRef(new Map<number, number>());
  const shown = useRef({ first: 0, last: 0 });
  const stop = useRef<AbortController | undefined>(undefined);
  const [, redraw] = useState(0);

  const load = useLatest(async (page: number): Promise<void> => {
    if (asked.current.get(page) === version) return;
    if (pages.current.get(page)?.version === version) return;
    asked.current.set(page, version);
    const { signal } = stop.current ?? new AbortController();
    try {
      const rows = await options.load(page * PAGE_ROWS, PAGE_ROWS, signal);
      if (signal.aborted) return;
      pages.current.delete(page);
      pages.current.set(page, { rows, version });
      for (const oldest of pages.current.keys()) {
        if (pages.current.size <= MAX_PAGES) break;
        pages.current.delete(oldest);
      }
      redraw((before) => before + 1);
    } catch {
      // The view shows the server's error itself; the page is requested again when it is next shown.
    } finally {
      if (asked.current.get(page) === version) asked.current.delete(page);
    }
  });

  const show = useLatest((first: number, last: number) => {
    shown.current = { first, last };
    for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) void load(page);
  });

  useEffect(() => {
    stop.current = new AbortController();
    pages.current.clear();
    asked.current.clear();
    return () => stop.current?.abort();
  }, [key]);

  // A new version is what makes the rows on the screen old
  useEffect(() => show(shown.current.first, shown.current.last), [key, version, show]);

  return {
    at: (index) => pages.current.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS],
    show,
  };
}
