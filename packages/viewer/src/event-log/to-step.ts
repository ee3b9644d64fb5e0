// A line of a log as one row of a timeline. Every line makes a row: an unknown event, and a line that is not JSON, too.
import { isRecord, PRUNE_ID_PATTERN } from "@jeeves/base";
import type { Call, Step, StepKind } from "../wire.ts";
import { meterToCall, meterToStep, readMeter } from "./meter-step.ts";
import type { ReadLine } from "./read-lines.ts";
import { shorten } from "./shorten.ts";

const FOCUS_FIELDS = ["context_focus_question", "goal_hint", "focus", "query"] as const;
/** The most useful fields of a call's input, in this order. */
const INPUT_FIELDS = ["command", "file_path", "path", "pattern", "prune_id", "url"] as const;
const PRUNE_ID = new RegExp(`\\b${PRUNE_ID_PATTERN}\\b`, "g");

const KINDS: Readonly<Record<string, StepKind>> = {
  "agent.tool_call": "call",
  "agent.message": "message",
  "agent.reasoning": "reasoning",
  "agent.turn_ended": "turn",
  "agent.started": "state",
  "agent.server": "state",
  "run.started": "task",
  "run.state": "state",
  "agent.ended": "end",
  "run.ended": "end",
};

type Fields = Readonly<Record<string, unknown>>;

interface StepPlace {
  readonly n: number;
  /** 1-based. */
  readonly line: number;
}

/** The other lines that belong to a call. */
interface CallRest {
  readonly result?: ReadLine;
  /** The meter's record of its cut. */
  readonly meter?: ReadLine;
  readonly pruneId?: string;
}

/** Never throws: a line that cannot be parsed becomes a row of the kind `torn` with its text. */
export function toStep(read: ReadLine, place: StepPlace, rest: CallRest = {}): Step {
  const record = parseRecord(read);
  try {
    if (record !== undefined) return recordToStep(record, place, rest);
  } catch {
    // Nested too deep for JSON.stringify. One such line must not hide the others.
  }
  const event = read.isTorn ? "torn line" : read.isCut ? "line too long" : "not an event";
  return { ...place, ts: "", kind: "torn", event, level: "warn", text: shorten(read.text) };
}

function recordToStep(record: Fields, place: StepPlace, rest: CallRest): Step {
  const event = textOf(record.event) || "(no name)";
  const data = fieldsOf(record.data);
  const kind = KINDS[event] ?? "event";
  const base = { ...place, ts: textOf(record.ts), event, level: textOf(record.level) || "info" };
  const meter = readMeter(event, data);
  if (meter !== undefined) return meterToStep(meter, base);
  if (kind === "call") return { ...base, kind, text: "", call: toCall(data, base.ts, rest) };
  return { ...base, kind, text: shorten(wordsOf(event, data)) };
}

function toCall(data: Fields, startedAt: string, { result, meter, pruneId }: CallRest): Call {
  const input = fieldsOf(data.input);
  const record = result === undefined ? undefined : parseRecord(result);
  const answer = fieldsOf(record?.data);
  const focus = FOCUS_FIELDS.map((name) => textOf(input[name]) || textOf(answer[name])).find((text) => text !== "");
  const raw = numberOf(answer.raw_bytes);
  const kept = numberOf(answer.kept_bytes);
  const recovered = numberOf(answer.recovered_bytes) ?? 0;
  const ms = Date.parse(textOf(record?.ts)) - Date.parse(startedAt);
  const metered = meter === undefined ? undefined : parseRecord(meter);
  const entry = metered === undefined ? undefined : readMeter(textOf(metered.event), fieldsOf(metered.data));
  const cut = entry === undefined ? {} : meterToCall(entry);
  const isWhole = raw !== undefined && raw > 0 && kept !== undefined && kept >= raw;
  // A whole text that only mentions an id was not cut. For a recovery, the id is in its input.
  const named = isWhole ? "" : (textOf(answer.text).match(PRUNE_ID)?.at(-1) ?? pruneId ?? "");
  const id = cut.pruneId || textOf(answer.prune_id) || named || textOf(input.prune_id);
  return {
    tool: textOf(data.tool) || "(no name)",
    input: shorten(inputWords(data.input)),
    ...cut,
    ...(focus === undefined ? {} : { focus: shorten(focus) }),
    ...(raw === undefined || kept === undefined || raw + recovered === 0
      ? {}
      : { sizes: { unit: "bytes" as const, raw, kept, recovered } }),
    ...(Number.isFinite(ms) && ms >= 0 ? { durationMs: ms } : {}),
    isError: answer.is_error === true,
    isOpen: result === undefined,
    ...(id === "" ? {} : { pruneId: id }),
  };
}

function inputWords(input: unknown): string {
  const fields = fieldsOf(input);
  const words = INPUT_FIELDS.flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" ? [value] : Array.isArray(value) ? [value.join(" ")] : [];
  });
  if (words.length > 0) return words.slice(0, 2).join("  ");
  const rest = Object.entries(fields).filter(([name]) => !FOCUS_FIELDS.some((focus) => focus === name));
  if (rest.length > 0) return JSON.stringify(Object.fromEntries(rest));
  return typeof input === "string" ? input : "";
}

function wordsOf(event: string, data: Fields): string {
  switch (event) {
    case "run.started":
      return textOf(data.prompt);
    case "run.state":
      return textOf(data.state).replace(/^run:/, "");
    case "agent.server":
      return [data.name, data.status, data.message].map(textOf).filter(Boolean).join(" · ");
    case "agent.started":
      return [data.model, data.session_id].map(textOf).filter(Boolean).join(" · ");
    case "run.ended":
    case "agent.ended":
      return [data.status, data.message].map(textOf).filter(Boolean).join(" · ");
    default: {
      const { run_id: _, ...rest } = data;
      const text = textOf(rest.text) || textOf(rest.message);
      if (text !== "") return text;
      return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
    }
  }
}

function parseRecord(read: ReadLine): Fields | undefined {
  if (read.isCut) return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
