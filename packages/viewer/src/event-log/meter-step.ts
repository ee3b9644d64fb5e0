// A meter record as a row: sizes in tokens, the question, the id. The same for records of a run's log and of the meter
// itself.
import type { Call, Step } from "../wire.ts";
import { shorten } from "./shorten.ts";

/** The fields of a meter entry that a timeline shows. */
export interface MeterFields {
  readonly kind: string;
  readonly tool: string;
  readonly raw_tokens: number;
  readonly kept_tokens: number;
  readonly prune_id?: string | undefined;
  readonly what?: string | undefined;
  readonly focus?: string | undefined;
  readonly ms?: number | undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  shadow: "would have been cut (shadow)",
  recovered: "asked for what was left out",
  missed: "used lines that a shadow cut would have left out",
  repeated: "made the same call again",
  stopped: "no longer cut: too much was asked for again",
  surface: "what our tools and instructions cost",
};

/** A meter entry as a row of a timeline. */
export function meterToStep(entry: MeterFields, base: Omit<Step, "kind" | "text" | "call">): Step {
  const { kind, tool, raw_tokens: raw } = entry;
  if (kind === "cut" || kind === "shadow")
    return { ...base, kind: "call", text: WORDS[kind] ?? "", call: toCall(entry) };
  const tokens = raw > 0 ? ` (${raw} tokens)` : "";
  return { ...base, kind: "event", text: `${tool === "" ? "" : `${tool}: `}${WORDS[kind] ?? kind}${tokens}` };
}

/** The fields that a meter record adds to a call from the log. */
export function meterToCall(entry: MeterFields): Pick<Call, "focus" | "sizes" | "pruneId"> {
  const { focus, prune_id: pruneId, raw_tokens: raw, kept_tokens } = entry;
  // In shadow mode the whole result was shown.
  const kept = entry.kind === "shadow" ? raw : kept_tokens;
  return {
    ...(focus === undefined || focus === "" ? {} : { focus: shorten(focus) }),
    ...(raw === 0 ? {} : { sizes: { unit: "tokens" as const, raw, kept, recovered: 0 } }),
    ...(pruneId === undefined || pruneId === "" ? {} : { pruneId }),
  };
}

function toCall(entry: MeterFields): Call {
  return {
    tool: entry.tool,
    input: shorten(entry.what ?? ""),
    ...meterToCall(entry),
    ...(entry.ms === undefined ? {} : { durationMs: entry.ms }),
    isError: false,
    isOpen: false,
  };
}

/** The fields of a `meter.*` record in a run's log; undefined for other events. */
export function readMeter(event: string, data: Readonly<Record<string, unknown>>): MeterFields | undefined {
  if (!event.startsWith("meter.")) return undefined;
  const text = (name: string): string | undefined => (typeof data[name] === "string" ? String(data[name]) : undefined);
  const count = (name: string): number => {
    const value = data[name];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  return {
    kind: event.slice("meter.".length),
    tool: text("tool") ?? "",
    raw_tokens: count("raw_tokens"),
    kept_tokens: count("kept_tokens"),
    prune_id: text("prune_id"),
    what: text("what"),
    focus: text("focus"),
    ms: typeof data.ms === "number" ? data.ms : undefined,
  };
}
