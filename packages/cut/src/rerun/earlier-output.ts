// What earlier runs of a command showed the model, and all that the last one of them printed.
import type { RecoveryStore } from "@jeeves/state";
import type { EarlierRuns } from "../cut-request.ts";
import { cutIdIn } from "../show/recovery-line.ts";

/** The earlier output of a command. */
export interface EarlierOutput {
  /** All that the last run printed, as far as it is known. */
  readonly last: string;
  /** False where the client may have cut it. */
  readonly isWhole: boolean;
  /** What the model was shown, run by run. */
  readonly shown: readonly string[];
}

/** A longer text is not compared. */
export const MAX_COMPARED_CHARS = 2_000_000;
/** How clients mark a result that they have cut. */
const CLIENT_CUT = /<persisted-output>|\btruncated\b/;

/**
 * The earlier output of a command from its results as the model has them, the last run first. Undefined where the output of
 * the last run is unknown: it was cut, and its text is gone or another project's.
 * @param maxChars what the client shows of such a result
 */
export async function readEarlierOutput(
  { results, isLastPart }: EarlierRuns,
  {
    store,
    project,
    maxChars = Number.POSITIVE_INFINITY,
  }: { readonly store: RecoveryStore; readonly project: string | undefined; readonly maxChars?: number | undefined },
): Promise<EarlierOutput | undefined> {
  const [last] = results;
  if (last === undefined) return undefined;
  const pruneId = cutIdIn(last);
  if (pruneId === undefined) {
    const isWhole = !isLastPart && last.length < maxChars && !CLIENT_CUT.test(last);
    return { last, isWhole, shown: results };
  }
  const stored = await store.get(pruneId).catch(() => undefined);
  if (stored === undefined || project === undefined || !stored.projects.includes(project)) return undefined;
  return stored.text.length > MAX_COMPARED_CHARS ? undefined : { last: stored.text, isWhole: true, shown: results };
}
