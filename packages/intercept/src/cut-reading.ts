// Takes one result of a client's own tool through the pipeline, and back into the client's form.
import {
  type CutRequest,
  type CutResult,
  type Cutter,
  outlineFor,
  policyFor,
  type RecoveredBy,
  readSearch,
  type Search,
  type Situation,
  splitLines,
  withLastLine,
} from "@jeeves/cut";
import type { Block } from "@jeeves/prune";
import { focusOf } from "./focus/focus.ts";
import type { SessionTail } from "./focus/session-facts.ts";
import { readCallsInContext, tailOfSession } from "./focus/session-tail.ts";
import type { StoredFile } from "./hook/client-adapter.ts";
import type { HookAnswer } from "./hook/hook-answer.ts";
import type { Reading } from "./hook/reading.ts";
import { type FileLines, seenShare } from "./hook/seen-lines.ts";
import { rememberCut, type SessionMemory, toAbsolute } from "./hook/session-memory.ts";
import type { ToolEvent } from "./hook/tool-event.ts";

/** The call whose result is cut. `maxChars` is the most that the client shows of a result. */
export interface CutCall {
  readonly event: ToolEvent;
  readonly memory: SessionMemory;
  readonly client: string;
  readonly maxChars: number | undefined;
  readonly signal: AbortSignal;
}

/** The size of a result before and after its cut. */
export interface CutSizes {
  readonly callId: string;
  readonly rawBytes: number;
  readonly keptBytes: number;
}

interface CutReadingDeps {
  readonly cutter: Cutter;
  readonly env: NodeJS.ProcessEnv;
  readonly project: () => Promise<string>;
  readonly onCut: ((sizes: CutSizes) => void) | undefined;
  readonly recovery: RecoveredBy | undefined;
  readonly nameStored?: ((stored: StoredFile) => Promise<string | undefined>) | undefined;
  /** For a process that lives for one call only: the earlier cuts, from the meter. */
  readonly repeats?: CutRequest["repeats"] | undefined;
}

/** The share of the room for the text where every kept line has its number before it. */
const NUMBER_SHARE = 0.8;
/** Shorter texts are never cut, so nothing is looked up for them. */
const MIN_CHARS = 400;

/** The answer that replaces the result; undefined to leave it as it is. */
export async function cutReading(
  reading: Reading,
  call: CutCall,
  { cutter, env, project, onCut, recovery, nameStored, repeats }: CutReadingDeps,
): Promise<HookAnswer | undefined> {
  const { event, memory } = call;
  if (reading.text.length < MIN_CHARS) return undefined;
  const tail = await tailOfSession(event);
  const file = fileOf(reading, call, tail);
  const seen = file && (await seenIn(file, call));
  const request = toRequest(reading, call, { tail, env, seen });
  const result = await cutter.cut({
    ...request,
    ...(recovery && { recovery }),
    ...(nameStored && { nameStored }),
    ...(repeats && { repeats }),
    project: await project(),
  });
  noteCut(reading, call, result);
  if (file !== undefined) memory.seen.remember(file, event.callId ?? "", isShownIn(result));
  if (result.kind === "whole") return result.notice === undefined ? undefined : withNotice(reading, result.notice);
  const shown = withLastLine(result.parts[0] ?? "", result.lastLine);
  if (event.callId !== undefined) {
    const rawBytes = Buffer.byteLength(reading.text);
    onCut?.({ callId: event.callId, rawBytes, keptBytes: Buffer.byteLength(shown) });
  }
  return reading.replace(shown);
}

function withNotice({ text, replace, withNotice: besides }: Reading, notice: string): HookAnswer {
  return besides?.(notice) ?? replace(withLastLine(text, notice));
}

/** The file whose lines enter this session's own context; undefined where the call may be a subagent's. */
function fileOf(reading: Reading, { event }: CutCall, { calls }: SessionTail): FileLines | undefined {
  const { path, text, firstLine = 1 } = reading;
  if (path === undefined || event.callId === undefined || calls?.has(event.callId) !== true) return undefined;
  return { path: toAbsolute(path, event.cwd), table: splitLines(text), firstLine };
}

/** Per line, whether the session has it in its context; undefined where it has none of this file. */
async function seenIn(file: FileLines, { event, memory }: CutCall): Promise<Uint8Array | undefined> {
  if (!memory.seen.has(file.path)) return undefined;
  const { session, transcriptPath } = event;
  if (session !== undefined) return memory.seen.seenOf(file, session.calls ?? new Set());
  return transcriptPath === undefined ? undefined : memory.seen.seenOf(file, await readCallsInContext(transcriptPath));
}

function isShownIn(result: CutResult): (line: number) => boolean {
  return result.kind === "whole" ? () => true : result.isShown;
}

function toRequest(
  reading: Reading,
  { event, client, maxChars, signal, memory }: CutCall,
  known: { readonly tail: SessionTail; readonly env: NodeJS.ProcessEnv; readonly seen: Uint8Array | undefined },
): CutRequest {
  const { text, search: searchCall, kind, path, asked, what, minTokens, isWholeFile, numbered, clientView } = reading;
  const { tail, env, seen } = known;
  let search: Search | undefined;
  // Exactly these lines are wanted: the call names them, or the file was just edited and is read to check the edit.
  const isEdited = path !== undefined && memory.lastEdited === toAbsolute(path, event.cwd);
  const isExact = reading.class === "read-range" || isEdited;
  const situation: Situation = {
    class: reading.class,
    contextTokens: tail.contextTokens,
    repeated: seen && seenShare(splitLines(text), seen),
  };
  return {
    text,
    focus: focusOf(asked, tail),
    policy: policyFor(situation, env),
    situation,
    ...(clientView === undefined ? {} : { clientView: (shown: string) => clientView(shown, tail.model) }),
    ...(seen === undefined ? {} : { seen }),
    ...(isExact ? { onlyUnseen: true } : { outline: outlineFor(reading.class, text) }),
    caller: { session: event.sessionId ?? "", client, tool: event.tool, dir: event.cwd ?? "" },
    // Sorted, so that the order of the arguments does not matter.
    args: Object.entries(event.input).sort(([a], [b]) => (a < b ? -1 : 1)),
    what,
    minTokens,
    isWholeFile,
    room: {
      maxChars: roomOf(reading, maxChars),
      // Beside lines that the call names, there is no room for a notice of ours.
      ...(isExact ? { noticeChars: 0 } : reading.maxChars === undefined ? {} : { noticeChars: reading.maxChars }),
    },
    form: { lineNumbers: numbered, ...(reading.firstLine === undefined ? {} : { firstLine: reading.firstLine }) },
    ...(kind === undefined ? {} : { kind }),
    ...(path === undefined ? {} : { path }),
    ...(searchCall === undefined
      ? {}
      : {
          search: (focus: string) => {
            search = readSearch(text, { ...searchCall, focus });
            return search;
          },
        }),
    source: () => ({
      tool: event.tool,
      ...sourceOf(reading, search),
      ...(event.cwd === undefined ? {} : { dir: event.cwd }),
    }),
    idOptions: ({ kind, way }) => ({ hook: event.tool, kind, way }),
    signal,
  };
}

/** Remembers which lines were left out: a later call for them shows that the cut was too much. */
function noteCut({ path, firstLine = 1 }: Reading, { event, memory }: CutCall, result: CutResult): void {
  const cut: { readonly pruneId: string; readonly blocks: readonly Block[] } | undefined =
    result.kind === "cut"
      ? { pruneId: result.pruneId, blocks: result.pruned.blocks }
      : result.shadow && { pruneId: result.shadow.pruneId, blocks: result.shadow.pruned.blocks };
  // Lines that the session has already are no loss.
  if (path === undefined || cut === undefined || firstLine !== 1) return;
  if (result.kind === "cut" && result.way === "unseen") return;
  rememberCut(memory, { ...cut, path: toAbsolute(path, event.cwd), isShadow: result.kind === "whole" });
}

/** The most characters to show, the last line included. */
function roomOf(reading: Reading, maxChars: number | undefined): number | undefined {
  const limits = [reading.maxChars, maxChars].filter((limit) => limit !== undefined);
  if (limits.length === 0) return undefined;
  return Math.floor(Math.min(...limits) * (reading.numbered ? NUMBER_SHARE : 1));
}

/** The file that a text comes from. The matches of a search of one file do not name it. */
function sourceOf({ path, search: call }: Reading, search: Search | undefined): { readonly path?: string } {
  const only = call?.onlyPath;
  const isUnnamed = search?.lines.entries.some((entry) => entry.kind === "match" && entry.path === only) === true;
  const from = path ?? (isUnnamed ? only : undefined);
  return from === undefined ? {} : { path: from };
}
