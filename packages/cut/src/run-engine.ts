// The engine's part of a cut: what it is asked for, and what the policy takes of its answer.
import { estimateTokens, type Pruned, splitLines, type Use } from "@jeeves/prune";
import { type RecoveryStore, reportFault } from "@jeeves/state";
import type { Admitted } from "./admit.ts";
import { type BareView, chooseCut } from "./choose-cut.ts";
import type { CutRequest } from "./cut-request.ts";
import type { Engine, EngineFailure } from "./engine/engine.ts";
import { autoAmount, type MadeCut, makeCut, type NoCut } from "./make-cut.ts";
import { constantPolicy } from "./policy/policy.ts";
import { useInPolicy, useOf } from "./policy/use-of.ts";
import { pruneApart } from "./prune-apart.ts";
import { cutRerun } from "./rerun/cut-rerun.ts";
import { findSearch } from "./search/find-search.ts";
import { printedFile } from "./search/search-command.ts";
import { RESERVED_CHARS } from "./show/fit-to-client.ts";
import { type Measured, measure, rawTokensOf } from "./show/measure.ts";
import { keepFirstLine } from "./show/shown.ts";

/**
 * The cut that the policy chose, or why there is none. Calls `meanwhile` and measures the text while another thread
 * prunes it.
 */
export async function runEngine(
  request: CutRequest,
  { engine, store }: { readonly engine: Engine; readonly store?: RecoveryStore },
  { focus }: Admitted & { readonly focus: string },
  meanwhile: () => void,
): Promise<{ readonly measured: Measured; readonly bare: BareView; readonly choice: MadeCut | NoCut }> {
  const { policy, room, barriers, protectFrame, wholeLines, outline, command, signal, timeoutMs } = request;
  const table = splitLines(request.text);
  if (request.onlyUnseen === true) {
    const measured = measure(table);
    const bare = bareViewOf(request, measured);
    const made = { pruned: wholeOf(table.count) };
    return { measured, bare, choice: chooseCut(request, { measured, bare, made }) };
  }
  const search = findSearch(table, request, focus);
  const mixed = search?.isMixed === true ? search.lines : undefined;
  const kind = search === undefined || mixed !== undefined ? request.kind : "matches";
  const path = request.path ?? (command === undefined ? undefined : printedFile(command));
  const use = useFor(request);
  const common = {
    focus,
    ...(use === undefined ? {} : { use }),
    timeoutMs,
    signal,
    ...(path === undefined ? {} : { path }),
    ...(protectFrame === undefined ? {} : { protectFrame }),
  };
  // Matches, and what is pruned in parts, are lines.
  const inside = search === undefined && wholeLines !== true ? { insideLines: true } : {};
  const maxChars = room?.maxChars === undefined ? undefined : Math.max(1, room.maxChars - RESERVED_CHARS);
  const shown = request.clientView?.(request.text) ?? request.text;
  request.onEngine?.();
  const making = makeCut(
    {
      table,
      order: policy.isOrder ? (request.amount ?? { mode: "auto" }) : undefined,
      maxChars,
      barriers,
      search,
      // where the client would show only a part of a search, no more than that is shown in full.
      ...(shown.length < request.text.length ? { maxFullChars: shown.length } : {}),
      isShownWhole: request.clientView !== undefined && shown.length >= request.text.length,
      onlyLogs: focus === "" && !policy.isOrder,
      // An order keeps of a list what any other caller would get.
      isWorth: (tokens) =>
        (policy.isOrder ? constantPolicy : policy).choose(bare.tokens, [{ way: "engine", tokens }]) !== undefined,
    },
    async (amount) => {
      const own = { amount, ...(kind === undefined ? {} : { kind }), ...(barriers === undefined ? {} : { barriers }) };
      const pruned =
        mixed === undefined
          ? await engine.prune(table, { ...common, ...own, ...inside, ...(outline === undefined ? {} : { outline }) })
          : await pruneApart(mixed, { ...own, keepsTail: room?.keepsTail === true }, (part, ofPart) =>
              engine.prune(part, { ...common, ...ofPart }),
            );
      reportMissingGrammar(pruned);
      return request.keepsFirstLine === true && !("failed" in pruned) ? keepFirstLine(pruned) : pruned;
    },
  );
  meanwhile();
  const measured = measure(table);
  const bare = bareViewOf(request, measured, shown);
  const made = await making;
  const isWeighed = "pruned" in made && made.matches === undefined && search === undefined && !policy.isOrder;
  const rerun = isWeighed
    ? await cutRerun(request, { table, pruned: made.pruned, maxChars, store }, (part, chars) =>
        engine.prune(part, { ...common, kind: "logs", amount: autoAmount(chars) }),
      )
    : undefined;
  return { measured, bare, choice: chooseCut(request, { measured, bare, made, rerun }) };
}

/**
 * What the text is wanted for, where the session that wants it is known: its words are long, and no issue. Elsewhere the
 * focus is a question or an issue, and every door keeps the same lines for the same one.
 */
function useFor({ policy, situation }: CutRequest): Use | undefined {
  if (situation === undefined) return undefined;
  if (policy.isOrder) return useOf(situation.class) ?? "question";
  return situation.contextTokens === undefined ? undefined : (useInPolicy(situation.class) ?? "question");
}

/** A cut without a grammar is worse but still a cut: it is only reported as a fault. */
function reportMissingGrammar(pruned: Pruned | EngineFailure): void {
  if ("failed" in pruned || pruned.withoutGrammar === undefined) return;
  const language = pruned.withoutGrammar;
  reportFault("grammar", language, `the grammar of ${language} cannot be loaded; scopes come from indentation`);
}

function wholeOf(lineCount: number): Pruned {
  const kept = new Uint8Array(lineCount).fill(1);
  return { status: "whole", kind: "code", lineCount, kept, blocks: [], match: "none" };
}

function bareViewOf(
  { text, clientView, shownTokens }: CutRequest,
  measured: Measured,
  shown = clientView?.(text) ?? text,
): BareView {
  const tokens = shownTokens ?? (shown === text ? rawTokensOf(measured) : estimateTokens(shown));
  return { text: shown, tokens };
}
