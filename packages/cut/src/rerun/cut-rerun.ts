// the cut of a command that is run again. Its failures are shown, except those that are as before and that the model
// has been shown: these are only named.
import type { LineTable, Pruned } from "@jeeves/prune";
import type { RecoveryStore } from "@jeeves/state";
import type { CutRequest } from "../cut-request.ts";
import type { EngineFailure } from "../engine/engine.ts";
import { compareFailures } from "./compare-failures.ts";
import { MAX_COMPARED_CHARS, readEarlierOutput } from "./earlier-output.ts";
import { pruneRerun, type RerunCut } from "./prune-rerun.ts";
import { rerunNote } from "./rerun-note.ts";

/** The cut of a rerun. */
export interface Rerun extends RerunCut {
  /** Names the failures that are as before. */
  readonly note: string;
}

type Prune = (part: LineTable, maxChars: number | undefined) => Promise<Pruned | EngineFailure>;

/** The cut of a rerun; undefined where nothing is as before, or where that is unknown. Never rejects. */
export async function cutRerun(
  request: Pick<CutRequest, "earlierRuns" | "project" | "room">,
  {
    table,
    pruned,
    maxChars,
    store,
  }: {
    readonly table: LineTable;
    readonly pruned: Pruned;
    readonly maxChars: number | undefined;
    readonly store: RecoveryStore | undefined;
  },
  prune: Prune,
): Promise<Rerun | undefined> {
  const { earlierRuns, project, room } = request;
  const isComparable = pruned.kind === "logs" && pruned.status !== "stopped" && table.text.length <= MAX_COMPARED_CHARS;
  if (earlierRuns === undefined || store === undefined || !isComparable) return undefined;
  try {
    const earlier = await readEarlierOutput(await earlierRuns(), { store, project, maxChars: room?.maxChars });
    const compared = earlier && compareFailures(table, pruned.kept, earlier);
    if (compared === undefined) return undefined;
    const note = rerunNote(compared);
    const left = maxChars === undefined ? undefined : Math.max(1, maxChars - note.length);
    const how = { pruned, hidden: compared.hidden, maxChars: left ?? Number.POSITIVE_INFINITY };
    const made = await pruneRerun(table, how, (part) => prune(part, left));
    return "failed" in made ? undefined : { ...made, note };
  } catch {
    return undefined;
  }
}
