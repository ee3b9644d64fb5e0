// The product's own entry points, called with one recorded result after the other: the interceptor for a client's tools, and
// cutCommandOutput for commands that jeeves-exec would have held back. They read the transcript as it was at that time. The
// meter and the store are in memory, for one session.
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import {
  type CutRequest,
  type CutResult,
  type Cutter,
  createCutter,
  type Engine,
  type Meter,
  type MeterEntry,
} from "@jeeves/cut";
import type { RecoveryStore } from "@jeeves/state";
import { cutCommandOutput } from "../command-output.ts";
import { isHeld } from "../commands.ts";
import type { HookMoment } from "../hook/tool-event.ts";
import { createInterceptor, type InterceptCall, type Interceptor } from "../interceptor.ts";
import type { RecordedClient, RecordedOutput } from "../transcript/recorded-client.ts";
import type { Step } from "./read-session.ts";

const EXEC_PATH = "jeeves-exec";

/** The policy to replay, and a place for its files. */
export interface DoorsOptions {
  /** A value of JEEVES_POLICY. */
  readonly policy: string;
  /** An empty directory of their own. */
  readonly dir: string;
  readonly engine: Engine;
}

/** A request to the pipeline, and its answer. `entry`: its meter record, where it cut. */
export interface Asked {
  readonly request: CutRequest;
  readonly result: CutResult;
  readonly entry: MeterEntry | undefined;
}

/** A part that a cut left out and the agent used. */
interface DueRecovery {
  readonly pruneId: string;
  readonly tokens: number;
  readonly contextTokens: number;
}

/** The entry points under one policy, for one session at a time. */
export interface Doors {
  /** Begins a session and forgets the one before. */
  open(name: string, client: RecordedClient): void;
  close(): void;
  /** Appends a line to the transcript. */
  write(line: string): void;
  /** Records that a part of a cut would have been asked for again, which the recorded session could not do. */
  noteRecovery(due: DueRecovery): void;
  /** Called before a tool runs: the product remembers which file is edited. */
  before(step: Step): Promise<void>;
  /** Called with a result; resolves with undefined where it is left unchanged. `nth`: its index among the step's outputs. */
  after(step: Step, output: RecordedOutput, nth: number): Promise<Asked | undefined>;
}

interface OpenSession {
  readonly name: string;
  readonly client: RecordedClient;
  readonly entries: MeterEntry[];
  readonly meter: Meter;
  readonly cutter: Cutter;
  readonly interceptor: Interceptor;
  readonly asked: Omit<Asked, "entry">[];
  readonly file: number;
}

/** Creates the entry points under one policy. */
export function createDoors({ policy, dir, engine }: DoorsOptions): Doors {
  const env = { JEEVES_STATE_DIR: dir, HOME: dir, JEEVES_POLICY: policy, JEEVES_MODE: "on" };
  const transcriptPath = join(dir, "transcript.jsonl");
  const signal = new AbortController().signal;
  const store: RecoveryStore = { put: async (given) => ({ pruneId: idOf(given) }), get: async () => undefined };
  let session: OpenSession | undefined;

  function opened(): OpenSession {
    if (session === undefined) throw new Error("no session is open");
    return session;
  }
  function close(): void {
    if (session !== undefined) closeSync(session.file);
    session = undefined;
  }

  async function ask(work: () => Promise<unknown>): Promise<Asked | undefined> {
    const { entries, asked } = opened();
    const before = entries.length;
    asked.length = 0;
    await work();
    const [only] = asked;
    return only && { ...only, entry: entries.slice(before).find(({ kind }) => kind === "cut") };
  }

  function handle(moment: HookMoment, { tool, id, input, response }: Pick<Step, "tool" | "id" | "input" | "response">) {
    const { name, client, interceptor } = opened();
    const given = isRecord(input) ? input : {};
    const event = { moment, tool, input: given, response, callId: id, sessionId: name, transcriptPath };
    const call: InterceptCall = {
      client: client.id,
      maxChars: undefined,
      signal,
      rules: async () => ({ verdictOn: () => undefined }),
    };
    return interceptor.handle({ ...event, cwd: dir, execPath: EXEC_PATH }, call);
  }

  /** A hook rewrites the command, or every command runs under the launcher, which has the same rules. */
  async function isCommandHeld(id: string, command: string): Promise<boolean> {
    if (!opened().client.rewritesCommands) return isHeld(command);
    const asked = { tool: "Bash", id, input: { command }, response: undefined };
    return (await handle("PreToolUse", asked))?.kind === "rewrite";
  }

  function isAskedAbout(moment: HookMoment, { tool, input }: Step): boolean {
    return isRecord(input) && new RegExp(`^(?:${opened().client.matchers[moment]})$`).test(tool);
  }

  return {
    open(name, client) {
      close();
      const entries: MeterEntry[] = [];
      const meter: Meter = {
        record: async (entry) => void entries.push({ ts: new Date().toISOString(), ...entry }),
        entriesOf: async () => entries,
        sessionOf: async () => undefined,
      };
      const real = createCutter({ engine, store, meter, env });
      const asked: Omit<Asked, "entry">[] = [];
      const cutter: Cutter = {
        ...real,
        async cut(request) {
          const result = await real.cut(request);
          asked.push({ request, result });
          return result;
        },
      };
      const places = { project: dir, root: dir };
      const interceptor = createInterceptor({ cutter, store, meter, env, ...places, onUnknownShape: () => {} });
      session = { name, client, entries, meter, cutter, interceptor, asked, file: openSync(transcriptPath, "w") };
    },
    close,
    write: (line) => void writeSync(opened().file, `${line}\n`),
    noteRecovery({ pruneId, tokens, contextTokens }) {
      const { entries, name, client } = opened();
      if (entries.some((one) => one.kind === "recovered" && one.prune_id === pruneId)) return;
      const sizes = { raw_tokens: tokens, kept_tokens: tokens, context_tokens: contextTokens, prune_id: pruneId };
      const caller = { session: name, client: client.id, tool: "", project: dir };
      entries.push({ ts: new Date().toISOString(), kind: "recovered", ...caller, ...sizes });
    },
    async before(step) {
      if (isAskedAbout("PreToolUse", step)) await handle("PreToolUse", step);
    },
    async after(step, output, nth) {
      if (output.kind === "command") {
        const { command, text, exitCode } = output;
        if (!(await isCommandHeld(`${step.id}/${nth}`, command))) return undefined;
        const { name, client, cutter, meter } = opened();
        const place = { client: client.id, session: name, project: dir, transcriptPath, signal };
        return ask(() => cutCommandOutput({ command, text, exitCode, ...place }, { cutter, meter, env }));
      }
      if (!isAskedAbout("PostToolUse", step)) return undefined;
      return ask(() => handle("PostToolUse", { ...step, response: output.response }));
    },
  };
}

/** A prune id as long as a real one; the same for the same text, focus and options. */
function idOf({ text, focus, options }: { readonly text: string; readonly focus: string; readonly options: unknown }) {
  const hex = createHash("sha256")
    .update(JSON.stringify([text, focus, options]))
    .digest("hex");
  return `prn_${hex.slice(0, 12).replace(/[0189]/g, "k")}`;
}
