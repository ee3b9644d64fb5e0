// The engine's part of a cut: what it is asked, and what the policy takes of its answer.
import { shortMarker, splitLines } from "@jeeves/prune";
import type { Admitted } from "./admit.ts";
import type { CutRequest } from "./cut-request.ts";
import type { Engine } from "./engine/engine.ts";
import { type MadeCut, makeCut, type NoCut } from "./make-cut.ts";
import { generosityOf } from "./policy/trust.ts";
import { RESERVED_CHARS } from "./show/fit-to-client.ts";
import { keptTokensOf, type Measured, measure, rawTokensOf } from "./show/measure.ts";
import { keepFirstLine } from "./show/shown.ts";

/** A reader is waiting: a cut that takes longer is worth less than the whole text. */
const MAX_CUT_MS = 10_000;

/** The cut that the policy chose, or why there is none. A text that is pruned in another thread is measured meanwhile. */
export async function runEngine(
  request: CutRequest,
  engine: Engine,
  { focus, trust }: Admitted & { readonly focus: string },
  meanwhile: () => void,
): Promise<{ readonly measured: Measured; readonly choice: MadeCut | NoCut }> {
  const { policy, room, kind, path, barriers, protectFrame, signal, timeoutMs = MAX_CUT_MS } = request;
  const table = splitLines(request.text);
  const search = request.search?.(focus);
  const maxChars = room?.maxChars === undefined ? undefined : Math.max(1, room.maxChars - RESERVED_CHARS);
  request.onEngine?.();
  const making = makeCut(
    {
      table,
      order: policy.isOrder ? (request.amount ?? { mode: "auto" }) : undefined,
      maxChars,
      generosity: generosityOf(trust),
      barriers,
      search,
      onlyLogs: focus === "",
      isWorth: (tokens) => policy.choose(rawTokensOf(measured), [{ tokens }]) !== undefined,
    },
    (amount) =>
      engine.prune(table, {
        focus,
        amount,
        timeoutMs,
        signal,
        ...(kind === undefined ? {} : { kind }),
        ...(path === undefined ? {} : { path }),
        ...(barriers === undefined ? {} : { barriers }),
        ...(protectFrame === undefined ? {} : { protectFrame }),
      }),
  );
  meanwhile();
  const measured = measure(table);
  return { measured, choice: choose(request, measured, await making) };
}

function choose({ policy, keepsFirstLine }: CutRequest, measured: Measured, made: MadeCut | NoCut): MadeCut | NoCut {
  // A list of matches was weighed when it was made.
  if (!("pruned" in made) || made.matches !== undefined) return made;
  const pruned = keepsFirstLine === true ? keepFirstLine(made.pruned) : made.pruned;
  if (policy.isOrder) return { pruned }; // nothing is weighed
  const tokens = keptTokensOf(measured, pruned.blocks, shortMarker);
  return policy.choose(rawTokensOf(measured), [{ tokens }]) === undefined ? { reason: "no_gain" } : { pruned };
}
