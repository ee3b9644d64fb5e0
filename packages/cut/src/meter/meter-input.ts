// The one shape of a line in the meter, whatever door it comes from.
import type { Caller } from "../cut-request.ts";
import type { CutWay, MeterInput, MeterKind } from "./meter.ts";

export interface Counted {
  readonly rawTokens?: number;
  readonly keptTokens?: number;
  readonly shownTokens?: number;
  readonly contextTokens?: number | undefined;
  readonly way?: CutWay | undefined;
  readonly risk?: number | undefined;
  readonly madeVisible?: number;
  readonly pruneId?: string;
  readonly focus?: string;
  readonly what?: string;
  readonly ms?: number;
}

/** A line of the meter for one call. */
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
    ...(counted.madeVisible ? { made_visible: counted.madeVisible } : {}),
    ...(pruneId ? { prune_id: pruneId } : {}),
    ...(words === undefined ? {} : { what: words }),
    ...(focus === undefined ? {} : { focus }),
    ...(ms === undefined ? {} : { ms }),
    ...(caller.by === undefined ? {} : { by: caller.by }),
  };
}
