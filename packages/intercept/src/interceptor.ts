// The entry for hooks of a client's own tools: takes a tool event and returns an answer, or nothing. It never throws and
// waits only for the cut and the store; unknown events and results are left unchanged.
import {
  type CutRequest,
  type Cutter,
  estimateTokens,
  hasRecoveryLine,
  type Meter,
  type MeterKind,
  type RecoveredBy,
  readMode,
  repeatsInMeter,
  toMeterInput,
} from "@jeeves/cut";
import type { RecoveryStore } from "@jeeves/state";
import type { ReadRules } from "@jeeves/workspace";
import { findProject } from "@jeeves/workspace/project";
import { adapterOf } from "./adapters.ts";
import { type CommandOutput, cutCommandOutput } from "./command-output.ts";
import { type CutCall, type CutSizes, cutReading } from "./cut-reading.ts";
import { tailOfSession } from "./focus/session-tail.ts";
import type { ClientAdapter, StoredFile } from "./hook/client-adapter.ts";
import type { HookAnswer } from "./hook/hook-answer.ts";
import { refusalOf } from "./hook/marker-guard.ts";
import type { CommandReading, Reading } from "./hook/reading.ts";
import { createSessionMemory, rememberAnswer, type SessionMemory, toAbsolute } from "./hook/session-memory.ts";
import { type ToolEvent, textOf } from "./hook/tool-event.ts";
import { missedBy } from "./stored/shadow-use.ts";
import { clientRulesIn } from "./stored/stored-access.ts";
import { storedIdIn } from "./stored/way-back.ts";

/** What an interceptor works with. */
export interface InterceptorDeps {
  readonly cutter: Cutter;
  readonly store: RecoveryStore;
  readonly meter: Meter;
  readonly env: NodeJS.ProcessEnv;
  /** The project of the session; by default that of the event's directory. */
  readonly project?: string;
  /** The directory that the session began in; by default the event's directory. */
  readonly root?: string;
  /** How the agent gets the rest of a cut back; by default by our tool. */
  readonly recovery?: RecoveredBy;
  /** The process lives for one call only, so earlier cuts are taken from the meter. */
  readonly isShortLived?: boolean;
  /** Called once per tool whose result has an unknown shape. */
  readonly onUnknownShape: (tool: string) => void;
  /** Called with the sizes of each call that was cut, in bytes. */
  readonly onCut?: (sizes: CutSizes) => void;
}

/** The calling client, and its limits. */
export interface InterceptCall {
  /** As the client calls itself: claude-code, codex-mcp-client. */
  readonly client: string;
  readonly maxChars: number | undefined;
  readonly signal: AbortSignal;
  /** The rules about reading as they are now; by default from the client's settings for the session's directory. */
  readonly rules?: () => Promise<ReadRules>;
}

const EDITS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"]);

/** Answers the hooks of all sessions that reach this process. */
export function createInterceptor(deps: InterceptorDeps) {
  const memoryOf = createSessionMemory();
  const reported = new Set<string>();

  async function handle(given: ToolEvent, call: InterceptCall): Promise<HookAnswer | undefined> {
    const event = adapterOf(call.client).inSharedWords?.(given) ?? given;
    const memory = memoryOf(event);
    const key = event.callId === undefined ? undefined : `${event.moment} ${event.callId}`;
    if (key !== undefined && memory.answers.has(key)) return memory.answers.get(key);
    const answer = event.moment === "PreToolUse" ? await before(event, call, memory) : await after(event, call, memory);
    if (key !== undefined) rememberAnswer(memory, key, answer);
    return answer;
  }

  async function before(event: ToolEvent, call: InterceptCall, memory: SessionMemory): Promise<HookAnswer | undefined> {
    const reason = await refusalOf(event);
    if (reason !== undefined) return { kind: "refuse", reason };
    if (EDITS.has(event.tool)) {
      if ((await modeOf(event)) === "shadow") {
        const missed = await missedBy(event, { ...deps, back: memory.shadowBack });
        if (missed !== undefined) {
          const { pruneId, tokens } = missed;
          await record("missed", event, call, { pruneId, rawTokens: tokens, contextTokens: await contextOf(event) });
        }
      }
      const path = textOf(event.input.file_path);
      if (path !== undefined) memory.lastEdited = toAbsolute(path, event.cwd);
    }
    const storedReads = async () => {
      const { store, env, meter } = deps;
      const root = deps.root ?? event.cwd ?? ".";
      const rules = call.rules ?? (() => clientRulesIn(root, { client: call.client, env }));
      return { store, env, meter, root, rules, session: event.sessionId ?? "", project: await projectOf(event) };
    };
    return adapterOf(call.client).before(event, { env: deps.env, storedReads });
  }

  async function after(event: ToolEvent, call: InterceptCall, memory: SessionMemory): Promise<HookAnswer | undefined> {
    const adapter = adapterOf(call.client);
    const back = adapter.wayBack(event, memory);
    if (back !== undefined) {
      const contextTokens = await contextOf(event);
      const counted = { pruneId: back.pruneId, rawTokens: estimateTokens(back.text), contextTokens };
      await record(back.isShadow ? "missed" : "recovered", event, call, counted);
    }
    const command = await adapter.readCommand?.(event);
    if (command !== undefined) return cutCommand(command, { event, call, adapter });
    const reading = adapter.read(event);
    if (reading === "unknown_shape") {
      if (!reported.has(event.tool)) deps.onUnknownShape(event.tool);
      reported.add(event.tool);
      return undefined;
    }
    if (reading === undefined || isLeftAlone(reading)) return undefined;
    const cut: CutCall = { event, memory, client: call.client, maxChars: call.maxChars, signal: call.signal };
    const { cutter, env, onCut, recovery } = deps;
    const how = {
      cutter,
      env,
      onCut,
      recovery,
      nameStored: namerOf(adapter, event),
      repeats: repeatsOf(event, reading),
    };
    return cutReading(reading, cut, { ...how, project: () => projectOf(event) });
  }

  async function cutCommand(
    { command, text, exitCode, dir, replace }: CommandReading,
    {
      event,
      call,
      adapter,
    }: { readonly event: ToolEvent; readonly call: InterceptCall; readonly adapter: ClientAdapter },
  ): Promise<HookAnswer | undefined> {
    const { transcriptPath, session } = event;
    const output: CommandOutput = {
      ...{ command, text, exitCode, client: call.client, signal: call.signal, session: event.sessionId ?? "" },
      project: toAbsolute(dir ?? ".", event.cwd),
      ...(transcriptPath && { transcriptPath }),
      ...(session && { tail: session }),
    };
    const { cutter, meter, env, recovery } = deps;
    const nameStored = namerOf(adapter, event);
    const shown = await cutCommandOutput(output, { cutter, meter, env, recovery, ...(nameStored && { nameStored }) });
    return shown === undefined ? undefined : replace(shown.replace(/\n$/, ""));
  }

  function namerOf(adapter: ClientAdapter, event: ToolEvent) {
    const { nameStored } = adapter;
    return nameStored && ((stored: StoredFile) => nameStored(event, stored));
  }

  function repeatsOf({ cwd = "" }: ToolEvent, { what }: Reading): CutRequest["repeats"] {
    return deps.isShortLived === true ? (history) => repeatsInMeter(history, { what, dir: cwd }) : undefined;
  }

  async function modeOf(event: ToolEvent) {
    return readMode(deps.env, { session: event.sessionId ?? "", project: await projectOf(event) });
  }

  async function projectOf({ cwd }: ToolEvent): Promise<string> {
    return deps.project ?? findProject(cwd ?? ".");
  }

  function record(
    kind: MeterKind,
    event: ToolEvent,
    { client }: InterceptCall,
    counted: { readonly pruneId: string; readonly rawTokens?: number; readonly contextTokens?: number | undefined },
  ): Promise<void> {
    const what = textOf(event.input.file_path);
    const caller = { session: event.sessionId ?? "", client, tool: event.tool, dir: event.cwd ?? "" };
    return deps.meter.record(toMeterInput(kind, { caller, ...(what === undefined ? {} : { what }) }, counted));
  }

  return { handle };
}

/** Answers the hooks of clients (createInterceptor). */
export type Interceptor = ReturnType<typeof createInterceptor>;

async function contextOf(event: ToolEvent): Promise<number | undefined> {
  return (await tailOfSession(event)).contextTokens;
}

/** A stored text and our own answers were cut before. */
function isLeftAlone({ text, path }: Reading): boolean {
  return (path !== undefined && storedIdIn(path) !== undefined) || hasRecoveryLine(text);
}
