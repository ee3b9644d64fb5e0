// The data that the server sends to the page, and that its sources return. Only types: both the page and the server import
// this file.

/** The whole size, the part that the model was shown, and what it asked for later. */
export interface Sizes {
  readonly unit: "bytes" | "tokens";
  readonly raw: number;
  readonly kept: number;
  readonly recovered: number;
}

/** The state of a run or session. */
export type RunStatus =
  | "running"
  | "completed"
  | "failed"
  | "max_turns"
  | "cancelled"
  | "timed_out"
  /** Its process ended without recording an end. */
  | "interrupted"
  /** A client's own session: its cuts are recorded, its end is not known. */
  | "session"
  /** Its directory exists, but its data cannot be read. */
  | "unreadable";

/** A run or a session in the list. */
export interface RunSummary {
  readonly id: string;
  readonly title: string;
  /** The provider of a run, or the client whose session it is. */
  readonly agent: string;
  readonly model?: string;
  readonly project: string;
  readonly status: RunStatus;
  /** Why it failed, or why it cannot be read. */
  readonly message?: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly calls: number;
  readonly failedCalls: number;
  readonly sizes: Sizes;
}

/** The newest runs. */
export interface RunList {
  readonly runs: readonly RunSummary[];
  /** The number of all runs; the list may be shorter. */
  readonly total: number;
}

/** A tool call in a timeline. */
export interface Call {
  readonly tool: string;
  /** What it was called with, in one line. */
  readonly input: string;
  readonly focus?: string;
  readonly sizes?: Sizes;
  readonly durationMs?: number;
  readonly isError: boolean;
  /** No result yet. */
  readonly isOpen: boolean;
  readonly pruneId?: string;
}

/** What a row of a timeline is about. */
export type StepKind = "task" | "call" | "message" | "reasoning" | "turn" | "state" | "end" | "event" | "torn";

/** One row of a timeline. */
export interface Step {
  /** 0-based place in the timeline that was asked for. */
  readonly n: number;
  /** 1-based line of the log, by which its whole record is requested. */
  readonly line: number;
  readonly ts: string;
  readonly kind: StepKind;
  /** The name in the log. */
  readonly event: string;
  readonly level: string;
  readonly text: string;
  readonly call?: Call;
}

/** `steps` are turns and calls; `events` is every line of the log. */
export type TimelineView = "steps" | "events";

/** Some rows of a run's timeline, and what is known of the run. */
export interface TimelineWindow {
  readonly run: RunSummary;
  readonly view: TimelineView;
  readonly from: number;
  readonly total: number;
  readonly steps: readonly Step[];
  /** 0 to 1: how much of the log has been looked at; a large one takes several requests. */
  readonly indexedShare: number;
  /** The log has more steps than are listed: all of them are among its events. */
  readonly isCapped: boolean;
  /** Raw and kept of the calls, in order and summed into a bounded number of bars. */
  readonly bars: readonly { readonly raw: number; readonly kept: number }[];
}

/** One line of a log as it stands there, and the result that belongs to it. */
export interface RecordView {
  readonly line: number;
  readonly json: string;
  readonly resultJson?: string;
  readonly pruneId?: string;
}

/** Lines are 1-based and inclusive. */
export interface CutBlock {
  readonly from: number;
  readonly to: number;
  readonly label?: string;
}

/** Lines in a row that were kept for one reason. */
export interface WhyRun {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** Lines of a cut that were asked for later. */
export interface Recovery {
  readonly ts: string;
  readonly tokens: number;
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  /** Set for a `jeeves recover` that a person ran. */
  readonly by?: "person";
}

/** A stored cut: what it was made from, what went, and what came back. */
export interface CutView {
  readonly pruneId: string;
  readonly storedAt: string;
  readonly tool?: string;
  readonly path?: string;
  readonly focus?: string;
  readonly client?: string;
  readonly lineCount: number;
  readonly bytes: number;
  readonly rawTokens: number;
  readonly keptTokens: number;
  /** Undefined where the record of the cut does not name its lines. */
  readonly blocks?: readonly CutBlock[];
  readonly why: readonly WhyRun[];
  readonly recoveries: readonly Recovery[];
}

/** A window of the lines of a stored text. */
export interface CutLines {
  readonly from: number;
  /** Long lines are shortened, with a note at their end. */
  readonly lines: readonly string[];
}

/** Sums in plain input tokens, at the prices of the calls that read the texts. */
export interface SavingsSums {
  /** The bill by part, and in all. */
  readonly starting: number;
  readonly misses: number;
  readonly results: number;
  readonly output: number;
  readonly rest: number;
  readonly bill: number;
  /** What the cuts saved; what it cost to make failures and answers visible, what came back, and our own tools. */
  readonly saved: number;
  readonly visible: number;
  readonly back: number;
  readonly surface: number;
  /** A loss is negative. */
  readonly net: number;
  readonly cuts: number;
  /** Times that something was asked for again. */
  readonly asked: number;
  readonly shadowCuts: number;
  readonly shadowNet: number;
}

/** A tool, a project or a client. */
export interface SavingsPart extends SavingsSums {
  readonly name: string;
  readonly sessions: number;
}

/** A slot of time. */
export interface SavingsPoint extends SavingsSums {
  /** The start of its time slot, in seconds since 1970. */
  readonly at: number;
}

/** A session whose net is below zero. */
export interface LostSession {
  readonly client: string;
  readonly project: string;
  readonly startedAt: string;
  readonly net: number;
}

/** The statistics of a period. */
export interface Savings {
  /** The first line of `jeeves stats`. */
  readonly line: string;
  /** False where no session has a transcript: then prices are averages, and there is no bill. */
  readonly isKnown: boolean;
  readonly sessions: number;
  readonly total: SavingsSums;
  /** Of the cuts with a prediction: how many were expected to be asked for again, and how many were. */
  readonly predicted: number;
  readonly actual: number;
  readonly riskCuts: number;
  /** The worst first, a bounded number of all. */
  readonly lost: readonly LostSession[];
  readonly lostCount: number;
  /** The first prompt of a session (median), and what is known of its parts and memory files; the largest first. */
  readonly firstPrompt: number;
  readonly filling: readonly { readonly name: string; readonly tokens: number }[];
  /** What the figures leave out. */
  readonly notes: readonly string[];
  readonly points: readonly SavingsPoint[];
  readonly slotS: number;
  readonly tools: readonly SavingsPart[];
  readonly projects: readonly SavingsPart[];
  readonly clients: readonly SavingsPart[];
}

/** A text that was pasted into the page, and the question about it. */
export interface TryRequest {
  readonly text: string;
  readonly focus: string;
  /** The share to keep, 0 to 1; without it the engine chooses. */
  readonly keep?: number;
  /** A file name, from which the language is guessed; never opened. */
  readonly name?: string;
}

/** The cut of a text that was pasted into the page. */
export interface TryCut {
  readonly kind: string;
  readonly language?: string;
  readonly match: "clear" | "weak" | "none";
  readonly lineCount: number;
  readonly rawTokens: number;
  readonly keptTokens: number;
  readonly blocks: readonly CutBlock[];
  readonly why: readonly WhyRun[];
  readonly durationMs: number;
  /** of a list of matches, the places of those that were left out. */
  readonly list?: string;
  /** Why nothing was cut, where that is not the engine's choice. */
  readonly note?: string;
}

/** A column of the board. */
export type TaskColumn = "ready" | "claimed" | "blocked" | "done";

/** A task of the project. */
export interface HavenTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly column: TaskColumn;
  readonly epic?: string;
  readonly effort: string;
  readonly priority: string;
  readonly blockedBy: readonly string[];
  /** Those of `blockedBy` (and of its epic's) that are not done yet. */
  readonly waitsFor: readonly string[];
  readonly lease?: {
    readonly holder: string;
    readonly operation: string;
    readonly remainingMs: number;
    readonly ttlMs: number;
  };
  readonly problem?: string;
}

/** A note of an agent for the others. */
export interface HavenMemory {
  readonly ts: string;
  readonly level: string;
  readonly task?: string;
  readonly by?: string;
  readonly message: string;
}

/** An agent of the project. */
export interface HavenAgent {
  readonly task: string;
  readonly name: string;
  /** spawned, completed, error, killed, reaped or rejected. */
  readonly state: string;
  readonly provider: string;
  /** Where several machines share the haven: the one that the agent runs on. */
  readonly machine?: string;
  readonly spawnedAt: string;
  readonly message?: string;
}

/** The tasks of the project, or why there are none to show. */
export type HavenView =
  | { readonly kind: "none"; readonly project: string; readonly message: string; readonly hint: string }
  | {
      readonly kind: "board";
      readonly project: string;
      readonly tasks: readonly HavenTask[];
      /** The latest agent of each task, of every machine. */
      readonly agents: readonly HavenAgent[];
      readonly epics: readonly { readonly id: string; readonly title: string; readonly status: string }[];
      /** Newest first. */
      readonly memory: readonly HavenMemory[];
      readonly problems: readonly string[];
    };
