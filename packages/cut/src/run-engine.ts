// The engine's part of a cut: what it is asked, and what the policy takes of its answer.
import { shortMarker, splitLines } from "@jeeves/prune";
import type { Admitted } from "./admit.ts";
import type { CutRequest } from "./cut-request.ts";
import type { Engine } from "./engine/engine.ts";
import { type MadeCut, makeCut, type NoCut } from "./make-cut.ts";
import { constantPolicy } from "./policy/policy.ts";
import { generosityOf } from "./policy/trust.ts";
import { pruneApart } from "./prune-apart.ts";
import { findSearch } from "./search/find-search.ts";
import { printedFile } from "./search/search-command.ts";
import { roomCharsOf } from "./show/broken-line.ts";
import { RESERVED_CHARS } from "./show/fit-to-client.ts";
import { keptTokensOf, type Measured, measure, rawTokensOf } from "./show/measure.ts";
import { keepHead } from "./show/shown.ts";

/** A reader is waiting: a cut that takes longer is worth less than the whole text. */
const MAX_CUT_MS = 10_000;

/** The cut that the policy chose, or why there is none. A text that is pruned in another thread is measured meanwhile. */
export async function runEngine(
  request: CutRequest,
  engine: Engine,
  { focus, trust }: Admitted & { readonly focus: string },
  meanwhile: () => void,
): Promise<{ readonly measured: Measured; readonly choice: MadeCut | NoCut }> {
  const { policy, room, barriers, protectFrame, command, signal, timeoutMs = MAX_CUT_MS } = request;
  const table = splitLines(request.text);
  const search = findSearch(table, request, focus);
  const mixed = search?.isMixed === true ? search.lines : undefined;
  const kind = search === undefined || mixed !== undefined ? request.kind : "matches";
  const path = request.path ?? (command === undefined ? undefined : printedFile(command));
  const common = {
    focus,
    timeoutMs,
    signal,
    ...(path === undefined ? {} : { path }),
    ...(protectFrame === undefined ? {} : { protectFrame }),
  };
  // A search counts its first lines among those that it shows.
  const headChars = search === undefined ? (room?.headChars ?? 0) : 0;
  const roomChars = roomCharsOf(room);
  const maxChars = roomChars === undefined ? undefined : Math.max(1, roomChars - headChars - RESERVED_CHARS);
  request.onEngine?.();
  const making = makeCut(
    {
      table,
      order: policy.isOrder ? (request.amount ?? { mode: "auto" }) : undefined,
      maxChars,
      generosity: generosityOf(trust),
      headLines: room?.headLines,
      barriers,
      search,
      onlyLogs: focus === "" && !policy.isOrder,
      // An order keeps of a list what any other caller would get.
      isWorth: (tokens) =>
        (policy.isOrder ? constantPolicy : policy).choose(rawTokensOf(measured), [{ tokens }]) !== undefined,
    },
    async (amount) => {
      const own = { amount, ...(kind === undefined ? {} : { kind }), ...(barriers === undefined ? {} : { barriers }) };
      const pruned =
        mixed === undefined
          ? await engine.prune(table, { ...common, ...own })
          : await pruneApart(mixed, { ...own, keepsTail: room?.keepsTail === true }, (part, ofPart) =>
              engine.prune(part, { ...common, ...ofPart }),
            );
      return request.keepsFirstLine === true && !("failed" in pruned) ? keepHead(pruned, 1) : pruned;
    },
  );
  meanwhile();
  const measured = measure(table);
  return { measured, choice: choose(request, measured, await making) };
}

function choose({ policy }: CutRequest, measured: Measured, made: MadeCut | NoCut): MadeCut | NoCut {
  // A list of matches was weighed when it was made, and of an order nothing is weighed.
  if (!("pruned" in made) || made.matches !== undefined || policy.isOrder) return made;
  const { pruned } = made;
  const tokens = keptTokensOf(measured, pruned.blocks, shortMarker);
  return policy.choose(rawTokensOf(measured), [{ tokens }]) === undefined ? { reason: "no_gain" } : { pruned };
}
