// One result of a client's own tool through the pipeline, and back into the shape that the client takes.
import {
  type CutRequest,
  type CutResult,
  type Cutter,
  constantPolicy,
  readSearch,
  type Search,
  withLastLine,
} from "@jeeves/cut";
import type { Block } from "@jeeves/prune";
import { deriveFocus } from "./focus/focus.ts";
import type { HookAnswer } from "./hook/hook-answer.ts";
import type { Reading } from "./hook/reading.ts";
import { rememberCut, type SessionMemory, toAbsolute } from "./hook/session-memory.ts";
import type { ToolEvent } from "./hook/tool-event.ts";

export interface CutCall {
  readonly event: ToolEvent;
  readonly memory: SessionMemory;
  readonly client: string;
  readonly maxChars: number | undefined;
  readonly signal: AbortSignal;
}

/** How large a result was, and is. */
export interface CutSizes {
  readonly callId: string;
  readonly rawBytes: number;
  readonly keptBytes: number;
}

export interface CutReadingDeps {
  readonly cutter: Cutter;
  readonly project: () => Promise<string>;
  readonly onCut: ((sizes: CutSizes) => void) | undefined;
}

/** Of the room, where every kept line carries its number. */
const NUMBER_SHARE = 0.8;

/** What to answer in the place of the result; undefined to leave it as it is. */
export async function cutReading(
  reading: Reading,
  call: CutCall,
  { cutter, project, onCut }: CutReadingDeps,
): Promise<HookAnswer | undefined> {
  const { event } = call;
  const result = await cutter.cut({ ...toRequest(reading, call), project: await project() });
  noteCut(reading, call, result);
  if (result.kind === "whole")
    return result.notice === undefined ? undefined : reading.replace(withLastLine(reading.text, result.notice));
  const shown = withLastLine(result.parts[0] ?? "", result.lastLine);
  if (event.callId !== undefined) {
    const rawBytes = Buffer.byteLength(reading.text);
    onCut?.({ callId: event.callId, rawBytes, keptBytes: Buffer.byteLength(shown) });
  }
  return reading.replace(shown);
}

function toRequest(reading: Reading, { event, client, maxChars, signal }: CutCall): CutRequest {
  const { text, search: searchCall, kind, path, asked, what, minTokens, isWholeFile, numbered } = reading;
  let search: Search | undefined;
  return {
    text,
    focus: () => deriveFocus(asked, event.transcriptPath),
    policy: constantPolicy,
    caller: { session: event.sessionId ?? "", client, tool: event.tool, dir: event.cwd ?? "" },
    // In whatever order the arguments are written.
    args: Object.entries(event.input).sort(([a], [b]) => (a < b ? -1 : 1)),
    what,
    minTokens,
    isWholeFile,
    room: {
      maxChars: roomOf(reading, maxChars),
      ...(reading.maxChars === undefined ? {} : { noticeChars: reading.maxChars }),
    },
    form: { lineNumbers: numbered },
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
    idOptions: ({ kind, trust }) => ({ hook: event.tool, kind, trust }),
    signal,
  };
}

/** Which lines a session has not seen: a later call for them is a way back. */
function noteCut({ path }: Reading, { event, memory }: CutCall, result: CutResult): void {
  const cut: { readonly pruneId: string; readonly blocks: readonly Block[] } | undefined =
    result.kind === "cut"
      ? { pruneId: result.pruneId, blocks: result.pruned.blocks }
      : result.shadow && { pruneId: result.shadow.pruneId, blocks: result.shadow.pruned.blocks };
  if (path === undefined || cut === undefined) return;
  rememberCut(memory, { ...cut, path: toAbsolute(path, event.cwd), isShadow: result.kind === "whole" });
}

/** Room for what is shown, its last line included. */
function roomOf(reading: Reading, maxChars: number | undefined): number | undefined {
  const limits = [reading.maxChars, maxChars].filter((limit) => limit !== undefined);
  if (limits.length === 0) return undefined;
  return Math.floor(Math.min(...limits) * (reading.numbered ? NUMBER_SHARE : 1));
}

/** The file that a text is from. A search of one file does not name it in its matches. */
function sourceOf({ path, search: call }: Reading, search: Search | undefined): { readonly path?: string } {
  const only = call?.onlyPath;
  const isUnnamed = search?.lines.entries.some((entry) => entry.kind === "match" && entry.path === only) === true;
  const from = path ?? (isUnnamed ? only : undefined);
  return from === undefined ? {} : { path: from };
}
