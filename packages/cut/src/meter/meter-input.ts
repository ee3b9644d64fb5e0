// The one shape of a line in the meter, whatever door it comes from.
import type { Caller } from "../cut-request.ts";
import type { MeterInput, MeterKind } from "./meter.ts";

export interface Counted {
  readonly rawTokens?: number;
  readonly keptTokens?: number;
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
    ...(pruneId ? { prune_id: pruneId } : {}),
    ...(words === undefined ? {} : { what: words }),
    ...(focus === undefined ? {} : { focus }),
    ...(ms === undefined ? {} : { ms }),
    ...(caller.by === undefined ? {} : { by: caller.by }),
  };
}
