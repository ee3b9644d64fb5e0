// Where the page's data come from: six small sources, provided by the program that starts the viewer. Each only reads. For
// an unknown id a source resolves with undefined, never an error: a run or cut may be deleted while it is shown.
import type { Overview } from "./overview.ts";
import type {
  CutLines,
  CutView,
  HavenView,
  RecordView,
  RunList,
  Savings,
  TimelineView,
  TimelineWindow,
  TryCut,
  TryRequest,
} from "./wire.ts";

/** Passed to every call of a source: a signal that aborts it. */
export interface Asked {
  readonly signal: AbortSignal;
}

/** Runs and sessions, live and past. */
export interface RunsSource {
  /** Newest first. */
  list(asked: Asked): Promise<RunList>;
  timeline(
    id: string,
    window: { readonly view: TimelineView; readonly from: number; readonly count: number },
    asked: Asked,
  ): Promise<TimelineWindow | undefined>;
  record(id: string, line: number, asked: Asked): Promise<RecordView | undefined>;
  /** A text that changes whenever the list does, or, with an id, whenever that run does. */
  stamp(id: string | undefined, asked: Asked): Promise<string>;
}

/** Stored cuts by their id. */
export interface BlocksSource {
  cut(pruneId: string, asked: Asked): Promise<CutView | undefined>;
  lines(
    pruneId: string,
    range: { readonly from: number; readonly to: number },
    asked: Asked,
  ): Promise<CutLines | undefined>;
  /** The cut as Markdown to share, without secrets. */
  share(pruneId: string, asked: Asked): Promise<{ readonly markdown: string } | undefined>;
}

/** Figures from the user's own transcripts. */
export interface OverviewSource {
  /** The last so many milliseconds of the user's own sessions; 0 for all of them. */
  read(range: { readonly lastMs: number }, asked: Asked): Promise<Overview>;
}

/** The figures of `jeeves stats`. */
export interface SavingsSource {
  /** `sinceMs` in milliseconds since 1970; 0 for everything there is. */
  read(range: { readonly sinceMs: number }, asked: Asked): Promise<Savings>;
  stamp(asked: Asked): Promise<string>;
}

/** Cuts of texts that are pasted into the page. */
export interface PrunerSource {
  /** Stores nothing: the page has the text. */
  cut(request: TryRequest, asked: Asked): Promise<TryCut>;
}

/** The tasks that the agents of this project share. */
export interface HavenSource {
  view(asked: Asked): Promise<HavenView>;
  stamp(asked: Asked): Promise<string>;
}

/** All sources of the page. */
export interface ViewerData {
  readonly overview: OverviewSource;
  readonly runs: RunsSource;
  readonly blocks: BlocksSource;
  readonly savings: SavingsSource;
  readonly pruner: PrunerSource;
  readonly haven: HavenSource;
}
