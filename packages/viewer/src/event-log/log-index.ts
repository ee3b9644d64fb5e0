// The index of a log: where every 64th line starts, and for each step (a turn, a call with its result, any event that is not
// a server's routine message) its place and its sizes. The number of steps is bounded, however large the log is.
import { isPruneId, PRUNE_ID_PATTERN } from "@jeeves/base";
import type { ScannedLine } from "./scan-lines.ts";
import { type Bar, type Column, createStepTable } from "./step-table.ts";

const LINES_PER_MARK = 64;
/** Results that never come must not pile up. */
const MAX_OPEN_CALLS = 10_000;
/** A meter record comes soon after its call: only this many calls are searched for the one that it belongs to. */
const RECENT_CALLS = 32;
/** To draw tokens beside bytes. */
const BYTES_PER_TOKEN = 4;

/** What our servers log for every call, and running sums: listed among the events, too much for the timeline. */
const CHATTER = /^(?:tool\.|pruner\.|mcp_pruner\.|http\.|agent\.usage$)/;
/** The usual events at a run's start and end: steps only where their level is not `info`. */
const USUAL = /^(?:run\.state|agent\.started|agent\.server|agent\.ended|meter\.surface|mcp\.client_connected)$/;
const EVENT = /"event":"([^"\\]{1,120})"/;
const CALL_ID = /"id":"((?:[^"\\]|\\.){1,200})"/;
const PRUNE_ID = new RegExp(`"prune_id":"(${PRUNE_ID_PATTERN})"`);
const TOOL = /"tool":"((?:[^"\\]|\\.){1,120})"/;
const METER = /^meter\.(?:cut|shadow)$/;
const SIZES = /"raw_bytes":(\d{1,15}),"kept_bytes":(\d{1,15}),"recovered_bytes":(\d{1,15})/;

const ANY_ID = new RegExp(`\\b(${PRUNE_ID_PATTERN})\\b`);
const RAW_BYTES = /"raw_bytes":(\d{1,15})/;

interface Cut {
  readonly pruneId: string;
  readonly raw: number;
  readonly tool: string;
}

/** What is known of a log after its first `lineCount` lines. Offsets and `sums` are in bytes, `tokens` in tokens. */
export interface LogIndex {
  readonly lineCount: number;
  readonly stepCount: number;
  readonly isCapped: boolean;
  readonly callCount: number;
  readonly sums: { readonly raw: number; readonly kept: number; readonly recovered: number };
  /** Sums of the meter's records. */
  readonly tokens: { readonly raw: number; readonly kept: number; readonly recovered: number };
  add(line: ScannedLine): void;
  /** Where the mark at or before this line (0-based) starts, and which line that is. */
  markBefore(line: number): { readonly line: number; readonly offset: number };
  /** `result` and `meter` are -1 where there is none. */
  step(n: number): Readonly<Record<Column, number>> & { readonly pruneId?: string };
  /** The sizes of the calls, in order, summed into at most so many. */
  bars(max: number): Bar[];
  /** The step of a line (0-based), if it is one. */
  stepOfLine(line: number): number | undefined;
}

/** An empty index. Feed it every line, in order; lines are matched by patterns on their ends, not parsed. */
export function createLogIndex(): LogIndex {
  const steps = createStepTable();
  const { get, set } = steps;
  const marks: number[] = [];
  const openCalls = new Map<string, number>();
  const pruneIds = new Map<number, string>();
  const sums = { raw: 0, kept: 0, recovered: 0 };
  const tokens = { raw: 0, kept: 0, recovered: 0 };
  /** Calls that a cut of the meter may belong to, newest last. */
  const recent: { readonly step: number; readonly tool: string }[] = [];
  let lineCount = 0;
  let callCount = 0;
  /** Cuts that servers have logged, newest last. */
  const cuts: Cut[] = [];

  const addStep = (offset: number): number | undefined => steps.add(lineCount, offset);

  const addCall = (line: ScannedLine): void => {
    callCount++;
    const step = addStep(line.offset);
    const id = CALL_ID.exec(line.head)?.[1];
    if (step === undefined || id === undefined) return;
    openCalls.set(id, step);
    recent.push({ step, tool: TOOL.exec(line.head)?.[1] ?? "" });
    if (recent.length > RECENT_CALLS) recent.shift();
    if (openCalls.size > MAX_OPEN_CALLS) for (const [oldest] of openCalls) return void openCalls.delete(oldest);
  };

  const addResult = (line: ScannedLine): void => {
    const id = CALL_ID.exec(line.head)?.[1] ?? "";
    const tail = line.tail();
    const step = openCalls.get(id);
    const found = SIZES.exec(tail);
    const [raw = 0, kept = 0, recovered = 0] = found?.slice(1).map(Number) ?? [];
    sums.raw += raw;
    sums.kept += kept;
    sums.recovered += recovered;
    if (step === undefined) return void addStep(line.offset);
    set("result", step, line.offset);
    // A result without sizes keeps those that the meter may have given already.
    if (found !== null) {
      set("raw", step, raw);
      set("kept", step, kept);
      set("recovered", step, recovered);
    }
    openCalls.delete(id);
    // The answer itself names its cut, in its last line; one that was too long for the log does not.
    const named = ANY_ID.exec(tail)?.[1];
    if (raw > 0 && kept >= raw) return void forget(step);
    if (named !== undefined && named !== pruneIds.get(step)) {
      forget(step);
      pruneIds.set(step, named);
    }
    for (const cut of cuts) if (isCutOf(cut, step)) pruneIds.set(step, cut.pruneId);
  };

  const forget = (step: number): void => {
    pruneIds.delete(step);
    set("meter", step, -1);
  };

  /** A server's record of a cut may stand before the call's result, or after it: another process writes it. */
  const isCutOf = ({ tool, raw }: Cut, step: number): boolean =>
    !pruneIds.has(step) &&
    get("raw", step) === raw &&
    get("kept", step) < raw &&
    recent.some((each) => each.step === step && isTool(each.tool, tool));

  const addCutOfServer = (line: ScannedLine): void => {
    const tail = line.tail();
    const pruneId = PRUNE_ID.exec(tail)?.[1];
    if (pruneId === undefined) return;
    const raw = Number(RAW_BYTES.exec(tail)?.[1] ?? -1);
    const cut = { pruneId, raw, tool: TOOL.exec(tail)?.[1] ?? "" };
    cuts.push(cut);
    if (cuts.length > RECENT_CALLS) cuts.shift();
    const owner = recent.findLast(({ step }) => isCutOf(cut, step));
    if (owner !== undefined) pruneIds.set(owner.step, pruneId);
  };

  /** A meter record belongs to the call with its prune id, else to the latest call of its tool without sizes or a cut. */
  const addMeter = (line: ScannedLine, name: string): void => {
    const said = parseMeter(line.more());
    if (name === "meter.recovered") tokens.recovered += said.raw;
    if (!METER.test(name)) return void addStep(line.offset);
    tokens.raw += said.raw;
    const kept = name === "meter.cut" ? said.kept : said.raw; // a shadow cut was not made
    tokens.kept += kept;
    const owner =
      recent.findLast(({ step }) => said.pruneId !== "" && pruneIds.get(step) === said.pruneId) ??
      recent.findLast(
        ({ step, tool }) =>
          isTool(tool, said.tool) && !pruneIds.has(step) && get("meter", step) === -1 && get("raw", step) === 0,
      );
    if (owner === undefined) return void addStep(line.offset);
    set("meter", owner.step, line.offset);
    if (said.pruneId !== "") pruneIds.set(owner.step, said.pruneId);
    if (get("raw", owner.step) > 0) return;
    set("raw", owner.step, said.raw * BYTES_PER_TOKEN);
    set("kept", owner.step, kept * BYTES_PER_TOKEN);
  };

  return {
    get lineCount() {
      return lineCount;
    },
    get stepCount() {
      return steps.count;
    },
    get isCapped() {
      return steps.isCapped;
    },
    get callCount() {
      return callCount;
    },
    sums,
    tokens,
    add(line) {
      if (lineCount % LINES_PER_MARK === 0) marks.push(line.offset);
      const name = EVENT.exec(line.head)?.[1] ?? "";
      const isUsual = USUAL.test(name) && line.head.includes('"level":"info"');
      if (name === "agent.tool_call") addCall(line);
      else if (name === "agent.tool_result") addResult(line);
      else if (name === "pruner.call_ok") addCutOfServer(line);
      else if (name.startsWith("meter.") && !isUsual) addMeter(line, name);
      else if (!isUsual && !CHATTER.test(name)) addStep(line.offset);
      lineCount++;
    },
    markBefore(line) {
      const mark = Math.min(Math.floor(line / LINES_PER_MARK), Math.max(0, marks.length - 1));
      return { line: mark * LINES_PER_MARK, offset: marks[mark] ?? 0 };
    },
    step(n) {
      const pruneId = pruneIds.get(n);
      return {
        line: get("line", n),
        offset: get("offset", n),
        result: get("result", n),
        meter: get("meter", n),
        raw: get("raw", n),
        kept: get("kept", n),
        recovered: get("recovered", n),
        ...(pruneId === undefined ? {} : { pruneId }),
      };
    },
    bars: steps.bars,
    stepOfLine: steps.ofLine,
  };
}

/** Servers log a tool by its own name, agents as `mcp:SERVER/TOOL`. */
function isTool(name: string, tool: string): boolean {
  return name === tool || (name.startsWith("mcp:") && name.endsWith(`/${tool}`));
}

/** A meter record is short enough to be whole in its head. One that cannot be parsed counts as 0. */
function parseMeter(head: string) {
  try {
    const { data } = JSON.parse(Buffer.from(head, "latin1").toString("utf8"));
    const count = (value: unknown): number => (typeof value === "number" && value >= 0 ? value : 0);
    return {
      raw: count(data.raw_tokens),
      kept: count(data.kept_tokens),
      tool: String(data.tool ?? ""),
      pruneId: isPruneId(String(data.prune_id)) ? String(data.prune_id) : "",
    };
  } catch {
    return { raw: 0, kept: 0, tool: "", pruneId: "" };
  }
}
