// The one pipeline behind every door: mode → policy → engine → store → render once → meter → last line. It never rejects:
// any failure is a reason to show the text as it is.
import { estimateTokens } from "@jeeves/prune";
import type { RecoveryStore } from "@jeeves/state";
import { admit, repeatKind, toCallKey } from "./admit.ts";
import type { BareView } from "./choose-cut.ts";
import { type CutRecord, toCutRecord } from "./cut-record.ts";
import type { CutRequest, CutResult, WholeReason, WholeText } from "./cut-request.ts";
import type { Engine } from "./engine/engine.ts";
import { type FittedWhole, fitWhole } from "./fit-whole.ts";
import type { MadeCut, NoCut } from "./make-cut.ts";
import type { Meter, MeterInput } from "./meter/meter.ts";
import { isAnyVisible, toMeterInput } from "./meter/meter-input.ts";
import { createRepeatMemory, type Repeats } from "./policy/repeats.ts";
import { runEngine } from "./run-engine.ts";
import { rawTokensOf } from "./show/measure.ts";
import { toShortPath } from "./show/recovery-line.ts";
import { type CutText, showCut } from "./show/show-cut.ts";
import { withLastLine } from "./show/shown.ts";
import { ownShownTokens } from "./show/whole-tokens.ts";
import { type StoreEnd, type Storing, startStoring } from "./store-text.ts";

/** The parts of the pipeline. */
export interface CutterDeps {
  readonly engine: Engine;
  /** Without a store nothing can be brought back: for a caller that has the text itself. */
  readonly store?: RecoveryStore;
  /** Without a meter nothing is counted, and no session is stopped. */
  readonly meter?: Meter;
  readonly env: NodeJS.ProcessEnv;
}

/** The pipeline from a raw text to what is shown of it. */
export interface Cutter {
  /** The cut to show of a text, stored and counted, or why it is shown whole. Never rejects. */
  cut(request: CutRequest): Promise<CutResult>;
  /** what fits of a text that stays whole; undefined where all of it does. Never rejects. */
  fit(request: CutRequest): Promise<FittedWhole | undefined>;
  /** Resolves when all is written: the answer to an order does not wait for its record and its line in the meter. */
  idle(): Promise<void>;
}

/** What the store may take beyond `timeoutMs`, a soft limit (K-27): an id that can be recovered is worth the wait. */
const STORE_GRACE_MS = 200;

/** Makes a pipeline of these parts, with its own memory of calls for repeats. */
export function createCutter(deps: CutterDeps): Cutter {
  const memory = createRepeatMemory();
  const recording = new Set<Promise<void>>();
  const tracked = (write: () => Promise<void> | undefined): Promise<void> => {
    const done = (async () => write())().finally(() => recording.delete(done));
    recording.add(done);
    return done;
  };
  const record: RunDeps["record"] = (input) => tracked(() => deps.meter?.record(input));
  const describe: RunDeps["describe"] = (pruneId, record) =>
    void tracked(() => deps.store?.describe?.(pruneId, record));
  return {
    cut: (request) => cut(request, { ...deps, memory, record, describe }).catch(toWhole),
    fit: (request) => fit(request, { ...deps, record }).catch(() => undefined),
    idle: async () => void (await Promise.all(recording)),
  };
}

async function fit(request: CutRequest, deps: CutterDeps & Pick<RunDeps, "record">): Promise<FittedWhole | undefined> {
  const fitted = await fitWhole(request, deps);
  if (fitted === undefined) return undefined;
  const { parts, lastLine, pruneId } = fitted;
  const rawTokens = estimateTokens(request.text);
  const keptTokens = estimateTokens(withLastLine(parts.join(""), lastLine));
  // Without the page the client would have cut it: neither a saving nor a loss.
  const counted = { rawTokens, keptTokens, shownTokens: keptTokens, pruneId, way: "page" } as const;
  await deps.record(toMeterInput("cut", request, counted));
  return fitted;
}

/** the tool has run, so its output is shown, whatever fails here. */
function toWhole(cause: unknown): WholeText {
  return { kind: "whole", reason: "engine_error", ran: true, cause, ms: 0 };
}

interface RunDeps extends CutterDeps {
  readonly memory: Repeats;
  /** Adds a record to a stored text in the background. */
  readonly describe: (pruneId: string, record: CutRecord) => void;
  readonly record: (input: MeterInput) => Promise<void>;
}

async function cut(request: CutRequest, deps: RunDeps): Promise<CutResult> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  let size: Pick<WholeText, "lineCount" | "rawTokens"> = {};
  const whole = (reason: WholeReason, more: Partial<WholeText> = {}): WholeText => {
    return { kind: "whole", reason, ran: false, ...size, ...more, ms: ms() };
  };
  const { policy } = request;
  const gate = policy.gate(request);
  if (gate !== undefined) return whole(gate);
  const admitted = await admit(request, deps, deps.memory);
  if ("reason" in admitted) return whole(admitted.reason, admitted);
  const { repeats, mode } = admitted;
  const focus = typeof request.focus === "string" ? request.focus : await request.focus();

  let storing: Storing | undefined;
  const { measured, bare, choice } = await runEngine(request, deps, { ...admitted, focus }, () => {
    if (request.stores === "always") storing = store(undefined);
  });
  const rawTokens = rawTokensOf(measured);
  size = { lineCount: measured.table.count, rawTokens };
  const isDropped = "pruned" in choice && choice.pruned.blocks.length > 0;
  if (request.stores !== "always" && isDropped) storing = store(choice);
  const stored = await storing?.(leftMs());
  if (!("pruned" in choice)) return whole(...whyNone(choice, stored));
  if (stored !== undefined && stored.kind !== "stored") return whole(...whyNotStored(stored));
  const { pruned, way = "engine", risk, madeVisible } = choice;
  const pruneId = stored?.pruneId ?? "";
  const file =
    request.recovery === "file" && stored?.path !== undefined
      ? await nameOf(request, { pruneId, path: stored.path }, deps.env)
      : undefined;
  if (request.recovery === "file" && file === undefined && isDropped) return whole("store_unavailable", { ran: true });
  const { contextTokens } = request.situation ?? {};
  const isOwn = request.clientView === undefined && request.shownTokens === undefined && !policy.isOrder;
  const shownTokens = isOwn ? ownShownTokens(request, rawTokens) : bare.tokens;
  const counted = { rawTokens, shownTokens, contextTokens, pruneId, focus };
  if (!policy.isOrder && repeats.isShown(pruneId)) {
    const came = { rawTokens: shownTokens, contextTokens, pruneId, focus, ms: ms() };
    await deps.record(toMeterInput(repeatKind(mode), request, came));
    return whole("repeat", { ran: true });
  }

  if (request.stores === "always" && isDropped) deps.describe(pruneId, toCutRecord(pruned));
  const shown = showCut(request, { measured, made: choice, pruneId, file });
  // never larger than what the client would show, unless it shows what that would not. What our own tools list of a
  // search that is too long for the client has no shorter form.
  const isOwnList = choice.matches !== undefined && bare.text.length >= request.text.length;
  const showsMore = madeVisible !== undefined && isAnyVisible(madeVisible);
  const isLarger = (shown.keptTokens >= shownTokens || hasMoreBytes(request, shown, bare)) && !showsMore && !isOwnList;
  if (isLarger && !policy.isOrder) return whole("no_gain", { ran: true });
  const isShadow = mode === "shadow";
  // Asked before the answer leaves: afterwards the caller may be gone.
  if (isDropped && (await (request.isCounted?.() ?? true))) {
    const { keptTokens } = shown;
    const about = { way, risk, ...(madeVisible === undefined ? {} : { madeVisible }) };
    const line = toMeterInput(isShadow ? "shadow" : "cut", request, { ...counted, ...about, keptTokens, ms: ms() });
    const recorded = deps.record(line);
    if (!policy.isOrder) await recorded; // the session's next call reads it
  }
  // The order of matches varies from call to call; any other output of a command identifies the run.
  const isList = shown.list !== undefined && pruned.kind === "matches";
  if (!policy.isOrder) repeats.remember(toCallKey(request, mode), isList ? undefined : request.text);
  if (isShadow) return whole("shadow", { ran: true, shadow: { pruneId, pruned } });
  return { kind: "cut", ...shown, pruned, way, pruneId, rawTokens, ms: ms() };

  function store(made: MadeCut | undefined): Storing | undefined {
    if (deps.store === undefined) return undefined;
    const { source, project } = request;
    const options = request.idOptions({ kind: made?.pruned.kind, way: made?.way ?? "engine" });
    const record = made && toCutRecord(made.pruned);
    return startStoring(deps.store, {
      text: request.text,
      focus,
      // One id stands for one cut, whatever decided about it.
      options: record === undefined ? options : { options, cut: record },
      source: typeof source === "function" ? source() : source,
      ...(project === undefined ? {} : { project }),
      ...(record === undefined ? {} : { cut: record }),
    });
  }

  function leftMs(): number | undefined {
    const { timeoutMs } = request;
    return timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - ms()) + STORE_GRACE_MS;
  }
}

/** Whether a cut of a client's own result is longer than what it stands for: tokens are an estimate, bytes are not. */
function hasMoreBytes({ clientView }: CutRequest, { parts, lastLine }: CutText, bare: BareView): boolean {
  if (clientView === undefined) return false;
  return Buffer.byteLength(clientView(withLastLine(parts.join(""), lastLine))) > Buffer.byteLength(bare.text);
}

async function nameOf(
  { nameStored }: CutRequest,
  stored: { readonly pruneId: string; readonly path: string },
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return nameStored === undefined ? toShortPath(stored.path, env) : nameStored(stored);
}

function whyNone(none: NoCut, stored: StoreEnd | undefined): [WholeReason, Partial<WholeText>] {
  const more = { ran: true, ...(stored === undefined ? {} : { stored }) };
  if ("reason" in none) return [none.reason, more];
  return [none.failed, none.cause === undefined ? more : { ...more, cause: none.cause }];
}

function whyNotStored(stored: Exclude<StoreEnd, { kind: "stored" }>): [WholeReason, Partial<WholeText>] {
  if (stored.kind === "late") return ["timeout", { ran: true, stored }];
  return ["store_unavailable", { ran: true, stored, cause: stored.error }];
}
