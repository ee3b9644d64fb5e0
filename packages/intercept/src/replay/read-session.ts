// One transcript as the calls of its model with their prices, and the tool calls in between. Subagents have contexts of
// their own and are left out.
import { isRecord } from "@jeeves/base";
import { type ContextCall, type PricedCall, priceCalls } from "@jeeves/cut";
import { RECORDED_CLAUDE } from "../claude/recorded.ts";
import { RECORDED_CODEX } from "../codex/recorded.ts";
import { contextCallsOf } from "../transcript/context-calls.ts";
import type { RecordedCall, RecordedClient, RecordedOutput } from "../transcript/recorded-client.ts";
import { createThreads } from "../transcript/thread.ts";
import {
  promptTokensOf,
  type TranscriptEvent,
  type TranscriptRecord,
  type Usage,
} from "../transcript/transcript-event.ts";

/** Clients whose transcripts can be replayed. */
export const REPLAYED: readonly RecordedClient[] = [RECORDED_CLAUDE, RECORDED_CODEX];

/** Lines of a file that an agent declared with a call. */
export interface DeclaredRange {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** A transcript as text. `ranges`: declared lines, by the id of the tool call. */
export interface GivenSession {
  readonly name: string;
  readonly lines: readonly string[];
  readonly ranges?: ReadonlyMap<string, readonly DeclaredRange[]>;
}

/** A tool call of a session. */
export interface Step extends RecordedCall {
  /** The call of the model that made it. */
  readonly call: number;
  readonly written: string;
  readonly outputs: readonly RecordedOutput[];
  readonly ranges: readonly DeclaredRange[];
}

/** A session that can be replayed. */
export interface RecordedSession {
  readonly client: RecordedClient;
  /** The directory that it worked in; "" where no record names it. */
  readonly dir: string;
  readonly steps: readonly Step[];
  /** The calls whose results are in a line, by the line's index. */
  readonly resultsAt: ReadonlyMap<number, readonly Step[]>;
  /** The model's messages and thoughts, by call. */
  readonly words: readonly string[];
  readonly priced: readonly PricedCall[];
  readonly calls: readonly ContextCall[];
}

/** Parses a session. Throws an Error that names what is missing: records of a known client, or their usage. */
export function readSession({ name, lines, ranges = new Map() }: GivenSession): RecordedSession {
  const threads = createThreads({ session: name, atMs: 0 });
  const reader = createStepReader(ranges);
  let client: RecordedClient | undefined;
  for (const [index, line] of lines.entries()) {
    const raw = parsed(line);
    if (raw === undefined) continue;
    for (const source of REPLAYED) {
      const record = source.readRecord(raw);
      if (record === undefined) continue;
      if (record.isSidechain) break;
      client ??= source;
      threads.add({ ...record, session: name });
      reader.take(record, source.responseIn(raw), index);
      break;
    }
  }
  if (client === undefined) throw new Error(`${name}: no transcript of Claude Code or Codex`);
  const [thread] = threads.end();
  if (thread === undefined) throw new Error(`${name}: no usage is recorded in it`);
  const calls = contextCallsOf(thread.calls);
  return { client, dir: thread.dir, ...reader.end(client, thread.calls.length), calls, priced: priceCalls(calls) };
}

interface OpenStep {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly ranges: readonly DeclaredRange[];
  call: number | undefined;
  result: { readonly text: string; readonly isError: boolean } | undefined;
  response: unknown;
  line: number | undefined;
}

function createStepReader(ranges: ReadonlyMap<string, readonly DeclaredRange[]>) {
  const steps: OpenStep[] = [];
  const byId = new Map<string, OpenStep>();
  const words: string[] = [];
  const callsById = new Map<string, number>();
  let calls = 0;
  let waiting: OpenStep[] = [];
  let said: string[] = [];

  function belong(call: number, some: readonly OpenStep[]): void {
    for (const step of some) step.call ??= call;
    words[call] = [words[call], ...said].filter(Boolean).join("\n");
    said = [];
  }
  function addUsage(usage: Usage, ofRecord: readonly OpenStep[]): void {
    if (promptTokensOf(usage) + usage.output === 0) return;
    const known = usage.call === "" ? undefined : callsById.get(usage.call);
    if (known !== undefined) {
      belong(known, ofRecord);
      return;
    }
    if (usage.call !== "") callsById.set(usage.call, calls);
    belong(calls++, [...waiting, ...ofRecord]);
    waiting = [];
  }
  function take(event: TranscriptEvent, ofRecord: OpenStep[], response: unknown, line: number): void {
    if (event.kind === "said" || event.kind === "thought") said.push(event.text);
    else if (event.kind === "usage") addUsage(event.usage, ofRecord);
    else if (event.kind === "call" && !byId.has(event.id)) {
      const { id, tool, input } = event;
      const open = { call: undefined, result: undefined, response: undefined, line: undefined };
      const step: OpenStep = { id, tool, input, ranges: ranges.get(id) ?? [], ...open };
      byId.set(id, step);
      ofRecord.push(step);
    } else if (event.kind === "result") {
      const step = byId.get(event.id);
      if (step === undefined || step.result !== undefined) return;
      Object.assign(step, { result: event, response, line });
    }
  }

  return {
    take({ events }: TranscriptRecord, response: unknown, line: number): void {
      const ofRecord: OpenStep[] = [];
      for (const event of events) take(event, ofRecord, response, line);
      waiting.push(...ofRecord.filter(({ call }) => call === undefined));
      steps.push(...ofRecord);
    },
    end(client: RecordedClient, known: number): Pick<RecordedSession, "steps" | "resultsAt" | "words"> {
      // The last call has no usage: its tool calls are added to the last call with usage.
      belong(known - 1, waiting);
      const textsOf = client.createCallReader();
      const resultsAt = new Map<number, Step[]>();
      const read = steps.map(({ line, ...open }): Step => {
        const result = open.result ?? { text: "", isError: false };
        const step = { ...open, call: open.call ?? known - 1, result };
        const whole = { ...step, ...textsOf(step) };
        if (line !== undefined) resultsAt.set(line, [...(resultsAt.get(line) ?? []), whole]);
        return whole;
      });
      return { steps: read, resultsAt, words };
    },
  };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
