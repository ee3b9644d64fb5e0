// Makes the lines of the meter, the same for every door.
import type { Caller } from "../cut-request.ts";
import type { CutForm, MeterInput, MeterKind } from "./meter.ts";

/** how many lines of failures, and of a clear match, are shown that the client would not have shown. */
export interface MadeVisible {
  readonly failures: number;
  readonly answers: number;
}

/** Whether there is any such line. */
export function isAnyVisible({ failures, answers }: MadeVisible): boolean {
  return failures + answers > 0;
}

/** What a line of the meter counts. */
export interface Counted {
  readonly rawTokens?: number;
  readonly keptTokens?: number;
  readonly shownTokens?: number;
  readonly contextTokens?: number | undefined;
  readonly way?: CutForm | undefined;
  readonly risk?: number | undefined;
  readonly madeVisible?: MadeVisible;
  readonly pruneId?: string;
  readonly focus?: string;
  readonly what?: string;
  readonly ms?: number;
}

/** A line of the meter for one call; without `keptTokens` as many as `rawTokens` count as kept. */
export function toMeterInput(
  kind: MeterKind,
  { caller, what }: { readonly caller: Caller; readonly what?: string },
  counted: Counted,
): MeterInput {
  const { rawTokens = 0, keptTokens = rawTokens, pruneId, focus, ms } = counted;
  const words = counted.what ?? what;
  return {
    kind,
    session: caller.session,
    client: caller.client,
    tool: caller.tool,
    project: caller.dir,
    raw_tokens: rawTokens,
    kept_tokens: keptTokens,
    ...(counted.shownTokens === undefined ? {} : { shown_tokens: counted.shownTokens }),
    ...(counted.contextTokens === undefined ? {} : { context_tokens: counted.contextTokens }),
    ...(counted.way === undefined ? {} : { way: counted.way }),
    ...(counted.risk === undefined ? {} : { risk: counted.risk }),
    ...visibleFields(counted.madeVisible),
    ...(pruneId ? { prune_id: pruneId } : {}),
    ...(words === undefined ? {} : { what: words }),
    ...(focus === undefined ? {} : { focus }),
    ...(ms === undefined ? {} : { ms }),
    ...(caller.by === undefined ? {} : { by: caller.by }),
  };
}

function visibleFields(lines: MadeVisible | undefined): Pick<MeterInput, "made_visible" | "visible_failures"> {
  if (lines === undefined || !isAnyVisible(lines)) return {};
  return { made_visible: lines.failures + lines.answers, visible_failures: lines.failures };
}
