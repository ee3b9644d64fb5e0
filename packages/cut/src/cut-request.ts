// What a caller (a door: a tool, a hook, a command, an HTTP route) asks of the pipeline, and what it gets back.
import type { Amount, Block, LineTable, OtherMatches, OutlineAmount, Pruned, SourceKind } from "@jeeves/prune";
import type { TextSource } from "@jeeves/state";
import type { CutForm, MeterEntry } from "./meter/meter.ts";
import type { GateBefore, Policy } from "./policy/policy.ts";
import type { Repeats } from "./policy/repeats.ts";
import type { Situation } from "./policy/situation.ts";
import type { Search } from "./search/read-search.ts";
import type { RecoveredBy } from "./show/recovery-line.ts";
import type { Shown } from "./show/shown.ts";
import type { StoreEnd } from "./store-text.ts";

/** Who asks, as the meter has it. */
export interface Caller {
  /** "" where callers cannot be distinguished: nothing is remembered about them. */
  readonly session: string;
  /** The client's name for itself; "" where it has none. */
  readonly client: string;
  readonly tool: string;
  /** The directory that the call was made in; "" where there is none. */
  readonly dir: string;
  /** Set for a person at a terminal: never counted as a saving or a loss of an agent's. */
  readonly by?: "person";
}

/** How much of an answer the client displays. */
export interface Room {
  /** Characters, with those of the last line and of the words around the text. */
  readonly maxChars: number | undefined;
  /** Prefers the end of the text, where a command's outcome is; a file or a search has nothing special there. */
  readonly keepsTail?: boolean;
  /** Room for a notice beside a whole text, where that is less than `maxChars`. */
  readonly noticeChars?: number;
}

/** How kept lines and markers are written. */
export interface Form {
  /** The line that stands for a block; the default is X-20's short marker. */
  readonly marker?: (block: Block, pruneId: string) => string | undefined;
  /** Kept lines carry their numbers. */
  readonly lineNumbers?: boolean;
  /** The number of the text's first line, in kept lines and in markers; default 1. */
  readonly firstLine?: number;
}

/** What earlier runs of a command showed the model, the last one first. */
export interface EarlierRuns {
  readonly results: readonly string[];
  /** Whether the last run may have printed more than its result shows. */
  readonly isLastPart: boolean;
}

/** A text, what the reader wants to know of it, and how it is to be cut, shown, stored and counted. */
export interface CutRequest {
  readonly text: string;
  /** What the reader wants to know; a function is asked only if the text may be cut. "" where it is unknown. */
  readonly focus: string | (() => Promise<string>);
  readonly policy: Policy;
  /** What is known about the call, for the policy and the meter. */
  readonly situation?: Situation;
  /** a text as the client shows it to its model (numbered, or cut by the client itself); default: as it is. */
  readonly clientView?: (text: string) => string;
  /** What the model pays for the text as the client shows it, where the caller knows; default: estimated. */
  readonly shownTokens?: number;
  /** Per line, 1 where the session already has the same line in its context; absent where that is not known. */
  readonly seen?: Uint8Array;
  /** what the model was shown of earlier runs of the same command and still has, the last one first. */
  readonly earlierRuns?: () => Promise<EarlierRuns>;
  /** Only lines in `seen` are left out: the engine does not run. */
  readonly onlyUnseen?: boolean;
  /** Makes an outline of the text, or a short form of a log, a candidate. */
  readonly outline?: OutlineAmount;
  readonly caller: Caller;
  /** The call itself, as JSON: the same call again is a repeat. */
  readonly args: unknown;
  /** What is read, in a few words: a path, a command, a pattern. */
  readonly what?: string;

  readonly kind?: SourceKind;
  /** A name to guess the language by; never opened. */
  readonly path?: string;
  /** Lines (0-based) at which a new part of the text starts (bash: stderr). */
  readonly barriers?: readonly number[];
  /** reads the text as a list of matches, where the call is a search. */
  readonly search?: (focus: string) => Search;
  /** The shell command that printed the text: a hint at searches in it, and at the file that it shows. */
  readonly command?: string;
  /** False where the text is not exactly what was read (invalid UTF-8). */
  readonly isExact?: boolean;
  /** Texts of fewer tokens stay whole; default: the policy's own limit. */
  readonly minTokens?: number;

  /** Default: as much as the engine finds useful. */
  readonly amount?: Amount;
  readonly protectFrame?: boolean;
  /** K-01: no line is cut inside, however long it is. */
  readonly wholeLines?: boolean;
  /** Keeps the first line whatever it is. */
  readonly keepsFirstLine?: boolean;
  readonly room?: Room;
  readonly form?: Form;
  /** The file can simply be read again by line numbers: the last line points that out. */
  readonly isWholeFile?: boolean;
  /** Whether the last line warns of a weak match with the focus; default: true. */
  readonly tellsWeak?: boolean;

  /** What brings the rest back; default: our tool. Without a plain file of its own the text stays whole. */
  readonly recovery?: RecoveredBy;
  /** Where the stored file is the way back: its name for the client's own Read; default: its path, `~` for the home. */
  readonly nameStored?: (stored: { readonly pruneId: string; readonly path: string }) => Promise<string | undefined>;

  /** Where the stored text comes from, and the project that may have it back. */
  readonly source: TextSource | (() => TextSource);
  readonly project?: string;
  /** Default: what was cut. "always" stores a text that stays whole, too (K-33), while the engine works. */
  readonly stores?: "cuts" | "always";
  /** With text, focus and what was cut these decide the prune id; with "always" without what was cut. */
  readonly idOptions: (cut: { readonly kind: SourceKind | undefined; readonly way: CutForm }) => unknown;
  /** Default: this process's own memory. A function is given what the session did so far. */
  readonly repeats?: Repeats | ((history: readonly MeterEntry[]) => Repeats);

  /** Time limit of engine and store together; default: none for the engine, and the store's own limits. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Whether the meter counts the cut; asked before its answer leaves. Default: it does. */
  readonly isCounted?: () => Promise<boolean>;
  /** Called when the engine starts. */
  readonly onEngine?: () => void;
}

/** Why a text is shown whole. */
export type WholeReason =
  | GateBefore
  /** The mode is off. */
  | "off"
  /** The session's cuts cost more than they saved: it is no longer cut. */
  | "stopped"
  | "repeat"
  /** There is no focus, and the text is not a log. */
  | "no_focus"
  | "no_gain"
  /** A cut was made, stored and counted, and is not shown. */
  | "shadow"
  | "constraints_unmet"
  | "timeout"
  | "engine_error"
  | "input_too_large"
  | "store_unavailable";

interface Outcome {
  /** Milliseconds it took. */
  readonly ms: number;
}

/** A cut that is stored and counted, ready to be shown. */
export interface ShownCut extends Outcome, Shown {
  readonly kind: "cut";
  /** The text's lines, so that it need not be split again. */
  readonly table: LineTable;
  /** The engine's choice; where an order dropped nothing, its status is "whole" and `note` is the reason. */
  readonly pruned: Pruned;
  /** The blocks that are shown as dropped: the engine's, or more of them where the client displays less. */
  readonly blocks: readonly Block[];
  /** "" where there is no store, or nothing was dropped and nothing stored. */
  readonly pruneId: string;
  readonly rawTokens: number;
  readonly keptTokens: number;
  readonly way: CutForm;
  /** the list of the other matches, with which the first part ends. */
  readonly list?: string;
  /** the matches of a search that are not shown in full. */
  readonly others?: readonly OtherMatches[];
  /** how to get the rest, to be put below the text. */
  readonly lastLine: string;
  /** less is shown than was kept, because the client displays no more. */
  readonly isCutToClient: boolean;
}

/** The text as it is, and why. */
export interface WholeText extends Outcome {
  readonly kind: "whole";
  readonly reason: WholeReason;
  /** Whether the engine ran. */
  readonly ran: boolean;
  /** Where it ran: the size of the text. */
  readonly lineCount?: number;
  readonly rawTokens?: number;
  /** A notice for the client beside the text, once per session. */
  readonly notice?: string;
  /** What was thrown, for the log. */
  readonly cause?: unknown;
  /** With `stores: "always"`: whether the text was stored, and its id; while that is not known, a promise of it. */
  readonly stored?: StoreEnd;
  /** The cut that is not shown. */
  readonly shadow?: { readonly pruneId: string; readonly pruned: Pruned };
}

/** The cut to show, or the reason to show the whole text. */
export type CutResult = ShownCut | WholeText;
