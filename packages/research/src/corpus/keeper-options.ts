// What a keeper of corpora is made with, and what it is asked with.

/** The settings of a keeper; sizes in bytes. */
export interface KeeperOptions {
  /** undefined: nothing is kept between questions, in memory or on disk. */
  readonly indexDir: string | undefined;
  readonly deny: readonly string[];
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly onSaveFailed?: (error: unknown) => void;
}

/** What bounds the update of one root, and which files it scans first. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** performance.now() at which scanning stops; what is not scanned by then is missing from the corpus. */
  readonly scanUntil: number;
  /** Which files first, where not all can be scanned in time: higher is earlier. */
  prefer(paths: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
