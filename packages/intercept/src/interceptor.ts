// The front door: a client's tool event in, what to say about it out, or nothing. It never throws and never waits for
// anything but the engine and the store; whatever it does not know goes through as if we were not there.
import { estimateTokens, type Pruned, renderPruned, shortMarker } from "@jeeves/prune";
import type { ReadRules } from "@jeeves/workspace";
import { findProject } from "@jeeves/workspace/project";
import { readClaudeGrep } from "./claude-grep.ts";
import { readClaudeMcp } from "./claude-mcp.ts";
import { readClaudeRead } from "./claude-read.ts";
import { rewriteCodexCommand } from "./codex-command.ts";
import { readCodexMcp } from "./codex-mcp.ts";
import { isRuled } from "./codex-rules.ts";
import { type CutDeps, cutText } from "./cut-text.ts";
import { deriveFocus } from "./focus.ts";
import { createRepeatMemory, isDiff, isTooSmall } from "./gates.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { refusalOf } from "./marker-guard.ts";
import type { Meter, MeterKind } from "./meter.ts";
import { type Mode, readMode } from "./mode.ts";
import type { Reading } from "./reading.ts";
import { recoveryLine } from "./recovery-line.ts";
import { readSearch, type Search } from "./search/read-search.ts";
import { createSessionMemory, rememberAnswer, rememberCut, type SessionMemory, toAbsolute } from "./session-memory.ts";
import { missedBy } from "./shadow-use.ts";
import { fitToClient, RESERVED_CHARS } from "./shown.ts";
import { clientRulesIn } from "./stored-access.ts";
import { judgeStoredCommand, judgeStoredRead } from "./stored-read.ts";
import { type ToolEvent, textOf } from "./tool-event.ts";
import { generosityOf, hasStopped, STOPPED_LINE, trustOf } from "./trust.ts";
import { storedIdIn, wayBackOf } from "./way-back.ts";

export interface InterceptorDeps extends CutDeps {
  readonly meter: Meter;
  readonly env: NodeJS.ProcessEnv;
  /** The project of the session; by default that of the directory which an event names. */
  readonly project?: string;
  /** The directory that the session began in; by default the one which an event names. */
  readonly root?: string;
  /** Told once per tool whose result has a shape that nobody knows. */
  readonly onUnknownShape: (tool: string) => void;
  /** Told what each call that was cut would have been, and is, in bytes. */
  readonly onCut?: (cut: { readonly callId: string; readonly rawBytes: number; readonly keptBytes: number }) => void;
}

interface Told {
  readonly raw: string;
  readonly kept?: string;
  readonly pruneId?: string;
  readonly what?: string;
  readonly focus?: string;
  readonly ms?: number;
}

export interface InterceptCall {
  /** As the client calls itself: claude-code, codex-mcp-client. */
  readonly client: string;
  readonly maxChars: number | undefined;
  readonly signal: AbortSignal;
  /** What may be read now; by default what the client's settings for the session's directory say. */
  readonly rules?: () => Promise<ReadRules>;
}

const EDITS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"]);
const OURS = /\brecover_text prn_[a-z2-7]{12}\]\s*$/;
const NUMBER_SHARE = 0.8; // of the room, where every kept line carries its number

export function createInterceptor(deps: InterceptorDeps) {
  const memoryOf = createSessionMemory();
  const repeats = createRepeatMemory();
  const reported = new Set<string>();

  async function handle(event: ToolEvent, call: InterceptCall): Promise<HookAnswer | undefined> {
    const memory = memoryOf(event);
    const key = event.callId === undefined ? undefined : `${event.moment} ${event.callId}`;
    if (key !== undefined && memory.answers.has(key)) return memory.answers.get(key);
    const answer = event.moment === "PreToolUse" ? await before(event, call, memory) : await after(event, call, memory);
    if (key !== undefined) rememberAnswer(memory, key, answer);
    return answer;
  }

  async function before(event: ToolEvent, call: InterceptCall, memory: SessionMemory): Promise<HookAnswer | undefined> {
    const reason = refusalOf(event);
    if (reason !== undefined) return { kind: "refuse", reason };
    const isCodex = /^codex/i.test(call.client);
    if (event.tool === "Read" && !isCodex) return judgeStoredRead(event, await storedReadDeps(event, call));
    if (event.tool === "Bash" && isCodex) {
      const refused = await judgeStoredCommand(textOf(event.input.command) ?? "", await storedReadDeps(event, call));
      if (refused !== undefined) return refused;
    }
    if (EDITS.has(event.tool)) {
      await noteMissed(event, call);
      const path = textOf(event.input.file_path);
      if (path !== undefined) memory.lastEdited = toAbsolute(path, event.cwd);
    }
    if (!isCodex) return undefined;
    const input = rewriteCodexCommand(event, deps.env);
    if (input === undefined || (await readMode(deps.env)) === "off") return undefined;
    const ruled = isRuled(textOf(event.input.command) ?? "", { rulesDir: event.rulesDir, cwd: event.cwd });
    if (await ruled.catch(() => true)) return undefined;
    return { kind: "rewrite", input };
  }

  async function storedReadDeps(event: ToolEvent, call: InterceptCall) {
    const { store, env, meter } = deps;
    const root = deps.root ?? event.cwd ?? ".";
    const rules = call.rules ?? (() => clientRulesIn(root, { client: call.client, env }));
    return { store, env, meter, root, rules, session: event.sessionId ?? "", project: await projectOf(event) };
  }

  async function projectOf({ cwd }: ToolEvent): Promise<string> {
    return deps.project ?? findProject(cwd ?? ".");
  }

  async function after(event: ToolEvent, call: InterceptCall, memory: SessionMemory): Promise<HookAnswer | undefined> {
    const isCodex = /^codex/i.test(call.client);
    if (!isCodex) await noteWayBack(event, call, memory);
    const reading = isCodex ? readCodexMcp(event) : toReading(event);
    if (reading === undefined || isLeftAlone(reading, memory)) return undefined;
    const mode = await readMode(deps.env);
    if (mode === "off") return undefined;
    if (repeats.isRepeat(event.tool, askedBy(event), reading.text)) {
      await record("repeated", event, call, { raw: reading.text, what: reading.what });
      return undefined;
    }
    return cut(reading, event, { call, memory, mode });
  }

  function toReading(event: ToolEvent): Reading | undefined {
    const adapter = adapterOf(event.tool);
    const reading = adapter?.(event);
    const isNarrow = event.input.offset !== undefined || event.input.limit !== undefined;
    // A response is an object or a list; anything else from a tool that we know is a version that we do not.
    if (adapter !== undefined && reading === undefined && !isNarrow && typeof event.response !== "object") {
      if (!reported.has(event.tool)) deps.onUnknownShape(event.tool);
      reported.add(event.tool);
    }
    return reading;
  }

  async function cut(
    reading: Reading,
    event: ToolEvent,
    { call, memory, mode }: { readonly call: InterceptCall; readonly memory: SessionMemory; readonly mode: Mode },
  ): Promise<HookAnswer | undefined> {
    const started = performance.now();
    const history = await deps.meter.entriesOf(event.sessionId ?? "");
    const trust = trustOf(history);
    if (trust === "none")
      return hasStopped(history) || mode === "shadow" ? undefined : sayStopped(reading, event, call);
    const focus = await deriveFocus(reading.asked, event.transcriptPath);
    const maxChars = roomOf(reading, call);
    const search = reading.search && readSearch(reading.text, { ...reading.search, focus });
    const outcome = await cutText(
      {
        text: reading.text,
        focus,
        onlyLogs: focus === "",
        generosity: generosityOf(trust),
        ...(maxChars === undefined ? {} : { maxChars: maxChars - RESERVED_CHARS }),
        ...(reading.kind === undefined ? {} : { kind: reading.kind }),
        ...(reading.path === undefined ? {} : { path: reading.path }),
        ...(search === undefined ? {} : { search }),
        options: (kind) => ({ hook: event.tool, kind, trust }),
        source: {
          tool: event.tool,
          ...sourceOf(reading, search),
          ...(event.cwd === undefined ? {} : { dir: event.cwd }),
        },
        project: await projectOf(event),
        signal: call.signal,
      },
      deps,
    );
    if (outcome.kind === "raw") return undefined;
    const { pruned, pruneId, list } = outcome;
    const kept = list === undefined ? keptOf(reading, pruned, maxChars) : outcome.kept;
    const lastLine = recoveryLine({ pruneId, isWholeFile: reading.isWholeFile, isWeak: pruned.match !== "clear" });
    const shown = withLine(kept, lastLine);
    const isShadow = mode === "shadow";
    if (reading.path !== undefined) {
      const path = toAbsolute(reading.path, event.cwd);
      rememberCut(memory, { path, pruneId, isShadow, blocks: pruned.blocks });
    }
    const ms = Math.round(performance.now() - started);
    const { what } = reading;
    await record(isShadow ? "shadow" : "cut", event, call, {
      raw: reading.text,
      kept: shown,
      pruneId,
      what,
      focus,
      ms,
    });
    if (isShadow) return undefined;
    repeats.remember(event.tool, askedBy(event), list === undefined ? reading.text : undefined);
    if (event.callId !== undefined)
      deps.onCut?.({
        callId: event.callId,
        rawBytes: Buffer.byteLength(reading.text),
        keptBytes: Buffer.byteLength(shown),
      });
    return reading.replace(shown);
  }

  /** said once, below a text that is otherwise whole. */
  async function sayStopped(reading: Reading, event: ToolEvent, call: InterceptCall): Promise<HookAnswer | undefined> {
    // Where an answer has less room than a result, saying it would cost lines; the session's next command says it.
    if (reading.maxChars !== undefined && reading.text.length + STOPPED_LINE.length > reading.maxChars)
      return undefined;
    await record("stopped", event, call, { raw: "", what: reading.what });
    return reading.replace(withLine(reading.text, STOPPED_LINE));
  }

  async function noteMissed(event: ToolEvent, call: InterceptCall): Promise<void> {
    if ((await readMode(deps.env)) !== "shadow") return;
    const pruneId = await missedBy(event, deps);
    const what = textOf(event.input.file_path);
    if (pruneId !== undefined)
      await record("missed", event, call, { raw: "", pruneId, ...(what === undefined ? {} : { what }) });
  }

  async function noteWayBack(event: ToolEvent, call: InterceptCall, memory: SessionMemory): Promise<void> {
    const back = wayBackOf(event, memory);
    if (back === undefined) return;
    const raw = readClaudeRead({ ...event, input: {} })?.text ?? "";
    const what = textOf(event.input.file_path);
    await record(back.isShadow ? "missed" : "recovered", event, call, {
      raw,
      pruneId: back.pruneId,
      ...(what === undefined ? {} : { what }),
    });
  }

  function record(kind: MeterKind, event: ToolEvent, call: InterceptCall, told: Told): Promise<void> {
    const { raw, kept = raw, pruneId, ...more } = told;
    return deps.meter.record({
      kind,
      session: event.sessionId ?? "",
      client: call.client,
      tool: event.tool,
      project: event.cwd ?? "",
      raw_tokens: estimateTokens(raw),
      kept_tokens: estimateTokens(kept),
      ...(pruneId === undefined ? {} : { prune_id: pruneId }),
      ...more,
    });
  }

  return { handle };
}

export type Interceptor = ReturnType<typeof createInterceptor>;

function adapterOf(tool: string): ((event: ToolEvent) => Reading | undefined) | undefined {
  if (tool === "Read") return readClaudeRead;
  if (tool === "Grep") return readClaudeGrep;
  return tool.startsWith("mcp__") ? readClaudeMcp : undefined;
}

/** What tells one call of a session from another, in whatever order its arguments are written. */
function askedBy({ sessionId = "", input }: ToolEvent): unknown {
  return [sessionId, Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))];
}

/** Room for what is shown, its last line included. */
function roomOf({ maxChars, numbered }: Reading, call: InterceptCall): number | undefined {
  const limits = [maxChars, call.maxChars].filter((limit) => limit !== undefined);
  if (limits.length === 0) return undefined;
  return Math.floor(Math.min(...limits) * (numbered ? NUMBER_SHARE : 1));
}

function keptOf({ text, numbered }: Reading, pruned: Pruned, maxChars: number | undefined): string {
  const fitted = numbered ? undefined : fitToClient({ text, parts: [text] }, pruned, { maxChars, keepsTail: false });
  return fitted?.parts[0] ?? renderPruned(text, pruned, { marker: shortMarker, lineNumbers: numbered });
}

/** The file that a text is from. A search of one file does not name it in its matches. */
function sourceOf({ path, search: call }: Reading, search: Search | undefined): { readonly path?: string } {
  const only = call?.onlyPath;
  const isUnnamed = search?.lines.entries.some((entry) => entry.kind === "match" && entry.path === only) === true;
  const from = path ?? (isUnnamed ? only : undefined);
  return from === undefined ? {} : { path: from };
}

function withLine(text: string, line: string): string {
  return `${text}${text.endsWith("\n") ? "" : "\n"}${line}`;
}

/** The gates before the engine, cheapest first: most calls end here. */
function isLeftAlone({ text, minTokens, path }: Reading, memory: SessionMemory): boolean {
  if (isTooSmall(text, minTokens)) return true;
  // Whoever has just edited a file reads it to see what became of it; whoever reads a stored text has seen its cut.
  if (path !== undefined && (memory.lastEdited === path || storedIdIn(path) !== undefined)) return true;
  return isDiff(text) || OURS.test(text);
}
