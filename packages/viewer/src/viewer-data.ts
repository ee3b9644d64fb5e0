// Where the page's data come from: six small sources, plugged in by the program that starts the viewer. Each only reads. An unknown
// id is undefined, never an error: what is shown may be deleted while it is looked at.
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

/** What every question carries: the signal that ends it. */
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
  /** Differs when the list does; with an id, when that run does. */
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

/** What the user's own transcripts tell. */
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
