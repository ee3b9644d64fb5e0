// The tool `prune_text` (K-14 … K-34): cut, store, then show. Whatever goes wrong, the text comes back whole with the
// reason among the warnings.
import { defineTool, type ToolOutcome, within } from "@jeeves/kit/mcp";
import {
  type Block,
  estimateTokens,
  type LineTable,
  type Pruned,
  renderPruned,
  splitLines,
  tokensUpToLines,
} from "@jeeves/prune";
import { pruneIdOf, type RecoveryStore } from "@jeeves/state";
import { type PruneArguments, pruneArguments } from "../arguments.ts";
import type { Cut, Engine } from "../engine.ts";
import { emitFallback } from "../fallback.ts";
import { toMarker, toReason } from "../reason.ts";
import { pruneSurface } from "../surface.ts";

export interface PruneDeps {
  readonly engine: Engine;
  readonly store: RecoveryStore;
}

const RATIO_SCALE = 10_000;
// How long the store may go on once the time is over: the limit is a soft one (K-27), and an id that can be recovered
// at once is worth more than these milliseconds (K-33).
const STORE_GRACE_MS = 200;

export function createPruneTool(deps: PruneDeps) {
  return defineTool<PruneArguments>({
    ...pruneSurface,
    args: pruneArguments,
    waitsItsTurn: false, // K-27; HTTP bounds how much text is here at once, the engine how much of it is worked on
    async run(args, call): Promise<ToolOutcome> {
      const from = performance.now();
      const { text, options } = args;
      const cutting = deps.engine.cut(text, {
        focus: args.goal_hint,
        kind: args.source_type,
        amount: { mode: "ratio", maxPruneRatio: options.max_prune_ratio, minKeepLines: options.min_keep_lines },
        protectFrame: args.source_type === "code",
        timeoutMs: options.timeout_ms,
        signal: call.signal,
      });
      // While the engine works: every text is stored whatever becomes of it (K-33), and measured line by line, so that
      // little is left to do when the cut is there.
      const storing = store(args, deps);
      const table = splitLines(text);
      const measured = { table, tokensUpTo: tokensUpToLines(table) };
      const cut = await cutting;
      const leftMs = Math.max(0, options.timeout_ms - (performance.now() - from));
      const stored = await within(leftMs + STORE_GRACE_MS, storing);
      const pruned = cut.kind === "cut" ? cut.pruned : undefined;
      const warnings = toWarnings(cut, stored);
      const tell = (told: readonly string[], storeError?: unknown) =>
        emitFallback(call.events, { tool: "prune_text", warnings: told, storeError });
      if (warnings.length > 0 && !call.signal.aborted) tell(warnings, stored?.error);
      if (stored === undefined) {
        void storing.then(({ error }) => {
          if (error !== undefined) tell(["recovery_unavailable"], error);
        });
      }
      // Nothing is lost: what could not be stored, or not yet, is not dropped.
      const shown = warnings.length === 0 ? pruned : undefined;
      const pruneId = stored?.pruneId ?? idOf(args);
      return {
        text: JSON.stringify(toAnswer(args, shown, { pruneId, warnings, measured, from })),
        mode: shown === undefined ? "raw" : "pruned",
      };
    },
  });
}

interface Measured {
  readonly table: LineTable;
  readonly tokensUpTo: Float64Array;
}

type StoreEnd = Awaited<ReturnType<typeof store>>;

async function store(args: PruneArguments, deps: PruneDeps) {
  const { text, goal_hint: focus } = args;
  try {
    const request = { text, focus, options: toStoredOptions(args), source: { tool: "prune_text" } };
    const { pruneId } = await deps.store.put(request);
    return { pruneId, error: undefined };
  } catch (error) {
    return { pruneId: idOf(args), error: error ?? "unknown" };
  }
}

function toStoredOptions({ source_type, options }: PruneArguments) {
  return { tool: "prune_text", source_type, ...options };
}

/** The id under which the store has the text, or will have it. */
function idOf(args: PruneArguments): string {
  return pruneIdOf(args.text, args.goal_hint, toStoredOptions(args));
}

function toWarnings(cut: Cut, stored: StoreEnd | undefined): readonly string[] {
  const warnings = new Set<string>();
  if (cut.kind === "whole") warnings.add(cut.why);
  if (stored === undefined) warnings.add("timeout");
  else if (stored.error !== undefined) warnings.add("recovery_unavailable");
  return [...warnings];
}

function toAnswer(
  { text, options }: PruneArguments,
  pruned: Pruned | undefined,
  about: {
    readonly pruneId: string;
    readonly warnings: readonly string[];
    readonly measured: Measured;
    readonly from: number;
  },
) {
  const { pruneId, warnings, measured, from } = about;
  const { table } = measured;
  const blocks = pruned?.blocks ?? [];
  const markers: string[] = [];
  const annotations = blocks.map((block) => {
    const reason = toReason(block.label);
    const marker = toMarker(pruneId, block, reason);
    if (options.include_markers) markers.push(marker);
    return {
      kind: "pruned_block",
      original_start_line: block.startLine,
      original_end_line: block.endLine,
      pruned_line_count: block.lineCount,
      reason,
      marker,
    };
  });
  const prunedText =
    pruned === undefined
      ? text
      : renderPruned(table, pruned, { marker: (_, index) => markers[index], lineNumbers: options.annotate_lines });
  const lines = table.count;
  const gone = blocks.reduce((sum, block) => sum + block.lineCount, 0);
  return {
    prune_id: pruneId,
    pruned_text: prunedText,
    annotations,
    stats: {
      original_lines: lines,
      kept_lines: lines - gone,
      pruned_lines: gone,
      // Rounded down: a ratio that was kept must not look broken.
      pruned_ratio: lines === 0 ? 0 : Math.floor((gone * RATIO_SCALE) / lines) / RATIO_SCALE,
      tokens_est_before: Math.ceil(measured.tokensUpTo[lines] ?? 0),
      tokens_est_after: options.annotate_lines ? estimateTokens(prunedText) : tokensLeft(measured, blocks, markers),
      elapsed_ms: Math.round(performance.now() - from),
      used_fallback: pruned === undefined,
    },
    warnings,
  };
}

/** Without a look at the text that was made. Markers are all of one make: the first tells what a character costs. */
function tokensLeft({ table, tokensUpTo }: Measured, blocks: readonly Block[], markers: readonly string[]): number {
  let tokens = tokensUpTo[table.count] ?? 0;
  for (const { startLine, endLine } of blocks) tokens -= (tokensUpTo[endLine] ?? 0) - (tokensUpTo[startLine - 1] ?? 0);
  const [first = ""] = markers;
  const chars = markers.reduce((sum, marker) => sum + marker.length, 0);
  return Math.ceil(tokens + (first === "" ? 0 : (estimateTokens(first) * chars) / first.length));
}
