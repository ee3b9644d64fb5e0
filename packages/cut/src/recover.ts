// Brings back lines of a stored text, exactly (X-02, K-35 … K-38, X-48). Every door recovers here; they differ only in how
// they word failures.
import { type CharRange, type LineTable, splitLines } from "@jeeves/prune";
import { type RecoveryStore, StateError, type StoredText } from "@jeeves/state";
import type { Caller } from "./cut-request.ts";
import { type LinePage, type LineRange, type RangeFault, readLines } from "./line-ranges.ts";
import type { Meter } from "./meter/meter.ts";
import { toMeterInput } from "./meter/meter-input.ts";
import { measure, rawTokensOf } from "./show/measure.ts";

/** Whether a caller may have a stored text. */
export type StoredAccess =
  | { readonly kind: "own" }
  /** Another project's; whether there is such a text is not revealed. */
  | { readonly kind: "foreign" }
  | { readonly kind: "denied"; readonly message: string; readonly hint: string };

/** What a caller wants of a stored text. */
export interface RecoverRequest {
  readonly pruneId: string;
  /** Default: the whole text, byte for byte. */
  readonly ranges?: readonly LineRange[] | undefined;
  /** Instead of lines: characters, as the markers inside of lines name them. */
  readonly chars?: readonly CharRange[] | undefined;
  readonly lineNumbers?: boolean;
  /** as many whole lines as the client displays. */
  readonly maxChars?: number | undefined;
  /** Ranges may overlap; if they add up to more characters than this and than the text itself, they are refused. */
  readonly maxRepeatedChars?: number;
  readonly caller: Caller;
  /**
   * Which session it counts for. Default: the one that was shown the cut, because commands are cut in another
   * process. "caller" where sessions share a process.
   */
  readonly countsFor?: "caller";
  /** Whether the caller may have it. Default: always. */
  readonly judge?: (stored: StoredText) => Promise<StoredAccess>;
}

/** The lines, or why there are none. */
export type Recovered =
  | ({ readonly kind: "recovered"; readonly stored: StoredText; readonly table: LineTable } & LinePage)
  /** Expired, never stored, or not the caller's. */
  | { readonly kind: "missing" }
  | { readonly kind: "denied"; readonly message: string; readonly hint: string }
  | { readonly kind: "unavailable"; readonly error: StateError }
  | {
      readonly kind: "invalid_range";
      readonly fault: RangeFault;
      readonly lineCount: number;
      readonly charCount: number;
    };

/** The store to read, and the meter to record in. */
export interface RecoverDeps {
  readonly store: RecoveryStore;
  readonly meter?: Meter | undefined;
}

/**
 * Reads lines or characters of a stored text, exactly, and records that in the meter: a recovery is a sign that a cut was
 * not enough.
 */
export async function recover(request: RecoverRequest, { store, meter }: RecoverDeps): Promise<Recovered> {
  const started = performance.now();
  const { pruneId, judge, caller } = request;
  let stored: StoredText | undefined;
  try {
    stored = await store.get(pruneId);
  } catch (error) {
    if (error instanceof StateError) return { kind: "unavailable", error };
    throw error;
  }
  if (stored === undefined) return { kind: "missing" };
  const access = (await judge?.(stored)) ?? { kind: "own" };
  if (access.kind === "denied") return access;
  if (access.kind === "foreign") return { kind: "missing" };
  const table = splitLines(stored.text);
  const page = readLines(table, request);
  if ("fault" in page)
    return { kind: "invalid_range", fault: page.fault, lineCount: table.count, charCount: table.text.length };
  if (meter !== undefined) {
    const tokens = rawTokensOf(measure(splitLines(page.text)));
    const what = page.chars === undefined ? `lines ${toWords(page.ranges)}` : `chars ${toWords(page.chars)}`;
    const ms = Math.round(performance.now() - started);
    const isOwn = caller.by === "person" || request.countsFor === "caller";
    const session = isOwn ? caller.session : ((await meter.sessionOf(pruneId, caller.session)) ?? caller.session);
    const input = { caller: { ...caller, session }, what };
    await meter.record(toMeterInput("recovered", input, { rawTokens: tokens, pruneId, ms }));
  }
  return { kind: "recovered", stored, table, ...page };
}

function toWords(ranges: readonly (LineRange | CharRange)[]): string {
  const words = ranges.map((range) =>
    "startLine" in range ? `${range.startLine}-${range.endLine}` : `${range.startChar}-${range.endChar}`,
  );
  return words.join(", ");
}
