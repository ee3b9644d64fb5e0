// What a door asks of the pipeline, and what it gets back. These two types are the whole contract between them.
import type { Amount, Block, LineTable, OtherMatches, OutlineAmount, Pruned, SourceKind } from "@jeeves/prune";
import type { TextSource } from "@jeeves/state";
import type { CutWay, MeterEntry } from "./meter/meter.ts";
import type { GateBefore, Policy } from "./policy/policy.ts";
import type { Repeats } from "./policy/repeats.ts";
import type { Situation } from "./policy/situation.ts";
import type { Search } from "./search/read-search.ts";
import type { RecoveryWay } from "./show/recovery-line.ts";
import type { Shown } from "./show/shown.ts";
import type { StoreEnd } from "./store-text.ts";

/** Who asks, as the meter has it. */
export interface Caller {
  /** "" where callers are not known: nothing is remembered of them. */
  readonly session: string;
  /** As the client calls itself; "" where it does not. */
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
  /** How a command ended is in its last lines; a file or a search has nothing special there. */
  readonly keepsTail?: boolean;
  /** Where less than `maxChars` can be said about a whole text. */
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
  /** Whether more was printed than the last result has, for all that is known. */
  readonly isLastPart: boolean;
}

/** A text to cut, and how its client would show it. */
export interface CutRequest {
  readonly text: string;
  /** What the reader wants to know; a function is asked only if the text may be cut. "" where it is unknown. */
  readonly focus: string | (() => Promise<string>);
  readonly policy: Policy;
  /** What the policy knows about the call; it goes into the meter. */
  readonly situation?: Situation;
  /** a text as the client shows it to its model (numbered, or cut by the client itself); default: as it is. */
  readonly clientView?: (text: string) => string;
  /** What the model pays for the text as the client shows it, where the caller knows; default: estimated. */
  readonly shownTokens?: number;
  /** Per line, 1 where the session has it already: the same line in the same words; absent where that is not known. */
  readonly seen?: Uint8Array;
  /** what the model was shown of earlier runs of the same command and still has, the last one first. */
  readonly earlierRuns?: () => Promise<EarlierRuns>;
  /** Nothing else is left out: the engine does not run. */
  readonly onlyUnseen?: boolean;
  /** An outline of the text, or a log in short, is a candidate. */
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
  /** The file can simply be read again by line numbers, as the last line explains. */
  readonly isWholeFile?: boolean;
  /** Whether the last line warns that the focus was hardly found; default: true. */
  readonly tellsWeak?: boolean;

  /** What brings the rest back; default: our tool. Without a plain file of its own the text stays whole. */
  readonly recovery?: RecoveryWay;
  /** Where the stored file is the way back: its name for the client's own Read; default: its path, `~` for the home. */
  readonly nameStored?: (stored: { readonly pruneId: string; readonly path: string }) => Promise<string | undefined>;

  /** Where the stored text comes from, and the project that may have it back. */
  readonly source: TextSource | (() => TextSource);
  readonly project?: string;
  /** Default: what was cut. "always" stores a text that stays whole, too (K-33), while the engine works. */
  readonly stores?: "cuts" | "always";
  /** Together with text, focus and what was cut these decide the prune id; with "always" they say all that decides it. */
  readonly idOptions: (cut: { readonly kind: SourceKind | undefined; readonly way: CutWay }) => unknown;
  /** Default: this process's own memory. A function is given what the session did so far. */
  readonly repeats?: Repeats | ((history: readonly MeterEntry[]) => Repeats);

  /** For the engine and the store together; default: none for the engine, and the store's own limits. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Whether an order is counted; asked before its answer leaves. Default: it is. */
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
  /** There is no focus, and the text is no log. */
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
  /** How long it took. */
  readonly ms: number;
}

/** A cut that is stored and counted, ready to be shown. */
export interface ShownCut extends Outcome, Shown {
  readonly kind: "cut";
  /** The text's lines, so that it need not be split again. */
  readonly table: LineTable;
  /** The engine's choice; where an order dropped nothing its status is "whole" and it says why. */
  readonly pruned: Pruned;
  /** The blocks that are shown as dropped: the engine's, or more of them where the client displays less. */
  readonly blocks: readonly Block[];
  /** "" where there is no store, or nothing was dropped and nothing stored. */
  readonly pruneId: string;
  readonly rawTokens: number;
  readonly keptTokens: number;
  readonly way: CutWay;
  /** the list of the other matches, with which the first part ends. */
  readonly list?: string;
  /** the matches of a search that are not shown in full. */
  readonly others?: readonly OtherMatches[];
  /** the way to the rest, to be put below the text. */
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
  /** What to say beside the text; said once per session. */
  readonly notice?: string;
  /** What was thrown, for the log. */
  readonly cause?: unknown;
  /** Where every text is stored: its id, whether it could be stored, and where that is not known yet, its end. */
  readonly stored?: StoreEnd;
  /** The cut that is not shown. */
  readonly shadow?: { readonly pruneId: string; readonly pruned: Pruned };
}

/** What is shown: a cut, or the text as it is and the reason. */
export type CutResult = ShownCut | WholeText;
