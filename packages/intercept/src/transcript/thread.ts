// A transcript in numbers: calls of the model with their usage, and the results in between. Of the texts only sizes, the
// paths that were read and the prune ids are kept.
import { hash } from "node:crypto";
import { CLIENTS, pruneIdsIn } from "@jeeves/base";
import { estimateTokens } from "@jeeves/cut";
import { type CallTree, createCallTree, NO_CALL } from "./call-tree.ts";
import { readTargetOf } from "./read-target.ts";
import {
  largerOf,
  promptTokensOf,
  type TranscriptEvent,
  type TranscriptRecord,
  type Usage,
} from "./transcript-event.ts";

/** The result of a tool. */
export interface ToolResult {
  readonly tool: string;
  /** Estimated. */
  readonly tokens: number;
  readonly isError: boolean;
  readonly atMs: number;
  /** Prune ids in the text (`shows`), and those that the call asked for. */
  readonly shows: readonly string[];
  readonly asksFor: readonly string[];
  /** The file that was read, where the call names one, and a digest of the result. */
  readonly path?: string;
  readonly digest?: string;
  /** The text that the model saw of a failure that its client had cut. */
  readonly cutFailure?: string;
}

/** A call of the model, and the results of the tools that it called. */
export interface ModelCall {
  /** "" where calls have no id. */
  readonly id: string;
  readonly atMs: number;
  readonly usage: Usage;
  /** The first one of a context: of the thread, after a compaction, or after a rewind to the start. */
  readonly isFirst: boolean;
  /** The call before it on its branch, where that is not the previous one: after a rewind. */
  readonly before?: number;
  /** Estimated tokens of the user's words since the call before. */
  readonly promptTokens: number;
  /** How many prompts these were. */
  readonly prompts: number;
  readonly toolCalls: number;
  readonly results: readonly ToolResult[];
}

/** A part of the starting prompt, in estimated tokens. */
export interface Filling {
  readonly part: "system" | "tool" | "server" | "note";
  readonly name: string;
  readonly tokens: number;
}

/** The calls of one session or of one of its subagents, as one file has them. */
export interface Thread {
  readonly session: string;
  /** The directory of the session; "" where no record names it. */
  readonly dir: string;
  readonly isSidechain: boolean;
  readonly calls: readonly ModelCall[];
  /** The parts of the starting prompt; empty where the client does not record them. */
  readonly filling: readonly Filling[];
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] };
type OpenCall = Omit<Mutable<ModelCall>, "results"> & { readonly results: ToolResult[] };

interface Asked {
  readonly tool: string;
  readonly asksFor: readonly string[];
  readonly path: string | undefined;
  /** Undefined until a usage shows which call it belongs to. */
  call: OpenCall | undefined;
}

interface OpenThread {
  readonly session: string;
  dir: string;
  readonly isSidechain: boolean;
  readonly calls: OpenCall[];
  readonly filling: Map<string, Filling>;
  lastPrompt: string;
  readonly byId: Map<string, OpenCall>;
  readonly asked: Map<string, Asked>;
  /** Tool calls that came before the usage of their call. */
  waiting: Asked[];
  /** Results that came before it. */
  early: { readonly asked: Asked; readonly result: ToolResult }[];
  isFirst: boolean;
  readonly tree: CallTree;
  /** The call that the record belongs to, or comes after. */
  current: number;
  promptTokens: number;
  prompts: number;
  atMs: number;
}

/** Takes the records of one file, in their order. `session` and `atMs` are used where the records have none. */
export function createThreads(fallback: { readonly session: string; readonly atMs: number }) {
  const threads = new Map<string, OpenThread>();
  let { session } = fallback;
  let [dir, model] = ["", ""];

  // Nearly every record belongs to the same thread as the previous one.
  let last: { readonly session: string; readonly agent: string | undefined; readonly thread: OpenThread } | undefined;

  function threadOf(record: TranscriptRecord): OpenThread {
    session = record.session ?? session;
    dir = record.dir ?? dir;
    model = record.model ?? model;
    const agent = record.isSidechain ? (record.agent ?? "") : undefined;
    if (last?.session !== session || last.agent !== agent) last = { session, agent, thread: openedThread(record) };
    const { thread } = last;
    if (thread.dir === "") thread.dir = dir;
    return thread;
  }

  function openedThread(record: TranscriptRecord): OpenThread {
    const key = JSON.stringify([session, record.isSidechain ? (record.agent ?? "") : null]);
    const found = threads.get(key) ?? openThread(session, record.isSidechain, fallback.atMs);
    threads.set(key, found);
    return found;
  }

  return {
    add(record: TranscriptRecord): void {
      const thread = threadOf(record);
      const ms = Date.parse(record.at);
      if (!Number.isNaN(ms)) thread.atMs = ms;
      const ofRecord: Asked[] = [];
      thread.current = thread.tree.before(record, thread.calls.length - 1);
      for (const event of record.events) take(thread, event, ofRecord, model);
      thread.tree.put(record, thread.current);
      thread.waiting.push(...ofRecord.filter(({ call }) => call === undefined));
    },
    end(): Thread[] {
      return [...threads.values()].map(toThread).filter(({ calls }) => calls.length > 0);
    },
  };
}

function openThread(session: string, isSidechain: boolean, atMs: number): OpenThread {
  return {
    session,
    dir: "",
    isSidechain,
    calls: [],
    filling: new Map(),
    lastPrompt: "",
    byId: new Map(),
    asked: new Map(),
    waiting: [],
    early: [],
    isFirst: true,
    tree: createCallTree(),
    current: NO_CALL,
    promptTokens: 0,
    prompts: 0,
    atMs,
  };
}

function toThread({ session, dir, isSidechain, calls, filling, early }: OpenThread): Thread {
  // The last call has no usage: its results are added to the last call with usage.
  for (const { result } of early) calls.at(-1)?.results.push(result);
  return { session, dir, isSidechain, calls, filling: [...filling.values()] };
}

/** `ofRecord`: the tool calls of the record that the event is from. */
function take(thread: OpenThread, event: TranscriptEvent, ofRecord: Asked[], model: string): void {
  if (event.kind === "compacted") thread.isFirst = true;
  else if (event.kind === "prompt") addPrompt(thread, event.text);
  else if (event.kind === "filling") addFilling(thread, event);
  else if (event.kind === "call") {
    const asksFor = copies(pruneIdsIn(JSON.stringify(event.input) ?? ""));
    const asked: Asked = { tool: event.tool, asksFor, path: readTargetOf(event.tool, event.input), call: undefined };
    thread.asked.set(event.id, asked);
    ofRecord.push(asked);
  } else if (event.kind === "result") addResult(thread, event);
  else if (event.kind === "usage") addUsage(thread, event.usage, ofRecord, model);
}

/** Claude Code repeats the last prompt from time to time, as a record of its own. */
function addPrompt(thread: OpenThread, text: string): void {
  if (text === thread.lastPrompt) return;
  thread.lastPrompt = text;
  thread.promptTokens += estimateTokens(text);
  thread.prompts++;
}

/** Only parts before the first call: later ones are not part of the starting prompt. */
function addFilling(thread: OpenThread, event: Extract<TranscriptEvent, { kind: "filling" }>): void {
  if (thread.calls.length > 0) return;
  const { part, name, text } = event;
  const key = `${part} ${name}`;
  const tokens = (thread.filling.get(key)?.tokens ?? 0) + estimateTokens(text);
  thread.filling.set(key, { part, name, tokens });
}

function addResult(thread: OpenThread, event: Extract<TranscriptEvent, { kind: "result" }>): void {
  const asked = thread.asked.get(event.id) ?? { tool: "", asksFor: [], path: undefined, call: thread.calls.at(-1) };
  const result: ToolResult = {
    tool: asked.tool,
    tokens: estimateTokens(event.text),
    isError: event.isError,
    atMs: thread.atMs,
    shows: copies(pruneIdsIn(event.text)),
    asksFor: asked.asksFor,
    ...(asked.path === undefined ? {} : { path: asked.path, digest: digestOf(event.text) }),
    ...(event.isError && isCutByClient(event.text) ? { cutFailure: copyOf(event.text) } : {}),
  };
  if (asked.call === undefined) thread.early.push({ asked, result });
  else asked.call.results.push(result);
}

function addUsage(thread: OpenThread, given: Usage, ofRecord: Asked[], model: string): void {
  if (promptTokensOf(given) + given.output === 0) return;
  const usage = { ...given, model: given.model || model };
  const known = given.call === "" ? undefined : thread.byId.get(given.call);
  if (known !== undefined) {
    known.usage = largerOf(known.usage, usage);
    thread.current = thread.calls.lastIndexOf(known);
    belongTo(known, ofRecord, thread);
    return;
  }
  const { atMs, current, promptTokens, prompts } = thread;
  const isFirst = thread.isFirst || current === NO_CALL;
  const call: OpenCall = {
    id: given.call,
    atMs,
    usage,
    isFirst,
    ...(isFirst || current === thread.calls.length - 1 ? {} : { before: current }),
    promptTokens,
    prompts,
    toolCalls: 0,
    results: [],
  };
  thread.current = thread.calls.push(call) - 1;
  if (given.call !== "") thread.byId.set(given.call, call);
  belongTo(call, [...thread.waiting, ...ofRecord], thread);
  Object.assign(thread, { waiting: [], isFirst: false, promptTokens: 0, prompts: 0 });
}

function belongTo(call: OpenCall, asked: readonly Asked[], thread: OpenThread): void {
  for (const one of asked) {
    if (one.call !== undefined) continue;
    one.call = call;
    call.toolCalls++;
  }
  const isTheirs = (each: OpenThread["early"][number]) => each.asked.call !== undefined;
  for (const each of thread.early.filter(isTheirs)) each.asked.call?.results.push(each.result);
  thread.early = thread.early.filter((each) => !isTheirs(each));
}

/** No client shows more than so many characters of a failure that it cuts. */
const MAX_FAILURE_CHARS = 60_000;
const NONE: readonly string[] = [];
const CUT_MARKS = CLIENTS.flatMap(({ cutMarks }) => cutMarks ?? []);
/** Shorter texts were not cut: clients leave more than this. */
const MIN_CUT_CHARS = 1_500;

function isCutByClient(text: string): boolean {
  return text.length >= MIN_CUT_CHARS && CUT_MARKS.some((mark) => mark.test(text));
}

function digestOf(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Copies a string, because a part of a string would keep the whole of it in memory. */
function copies(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? NONE : ids.map(copyOf);
}

function copyOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_FAILURE_CHARS)).toString();
}
