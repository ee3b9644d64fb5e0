// The engine's part of a cut: what it is asked, and what the policy takes of its answer.
import { estimateTokens, type Pruned, splitLines } from "@jeeves/prune";
import type { Admitted } from "./admit.ts";
import { type BareView, chooseWay } from "./choose-way.ts";
import type { CutRequest } from "./cut-request.ts";
import type { Engine } from "./engine/engine.ts";
import { type MadeCut, makeCut, type NoCut } from "./make-cut.ts";
import { RESERVED_CHARS } from "./show/fit-to-client.ts";
import { type Measured, measure, rawTokensOf } from "./show/measure.ts";

/** A reader is waiting: a cut that takes longer is worth less than the whole text. */
const MAX_CUT_MS = 10_000;

/** The cut that the policy chose, or why there is none. A text that is pruned in another thread is measured meanwhile. */
export async function runEngine(
  request: CutRequest,
  engine: Engine,
  { focus }: Admitted & { readonly focus: string },
  meanwhile: () => void,
): Promise<{ readonly measured: Measured; readonly bare: BareView; readonly choice: MadeCut | NoCut }> {
  const { policy, room, kind, path, barriers, protectFrame, outline, signal, timeoutMs = MAX_CUT_MS } = request;
  const table = splitLines(request.text);
  const search = request.search?.(focus);
  const maxChars = room?.maxChars === undefined ? undefined : Math.max(1, room.maxChars - RESERVED_CHARS);
  if (request.onlyUnseen === true) {
    const measured = measure(table);
    const bare = bareViewOf(request, measured);
    const made = { pruned: wholeOf(table.count) };
    return { measured, bare, choice: chooseWay(request, { measured, bare, made }) };
  }
  request.onEngine?.();
  const making = makeCut(
    {
      table,
      order: policy.isOrder ? (request.amount ?? { mode: "auto" }) : undefined,
      maxChars,
      barriers,
      search,
      onlyLogs: focus === "",
      isWorth: (tokens) => policy.choose(bare.tokens, [{ way: "engine", tokens }]) !== undefined,
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
        ...(outline === undefined ? {} : { outline }),
      }),
  );
  meanwhile();
  const measured = measure(table);
  const bare = bareViewOf(request, measured);
  return { measured, bare, choice: chooseWay(request, { measured, bare, made: await making }) };
}

function wholeOf(lineCount: number): Pruned {
  return {
    status: "whole",
    kind: "code",
    lineCount,
    kept: new Uint8Array(lineCount).fill(1),
    blocks: [],
    match: "none",
  };
}

function bareViewOf({ text, clientView, shownTokens }: CutRequest, measured: Measured): BareView {
  const shown = clientView?.(text) ?? text;
  const tokens = shownTokens ?? (shown === text ? rawTokensOf(measured) : estimateTokens(shown));
  return { text: shown, tokens };
}
