// A run as a person follows it: one line for each event that matters, as it happens. Text of agents and files is data:
// its control characters never reach the terminal.
import { oneLine } from "@jeeves/base";
import type { RunOutcome, RunRequest } from "@jeeves/runner";
import type { Paint } from "../terminal/paint.ts";

type RunRecord = Parameters<NonNullable<RunRequest["onRecord"]>>[0];

const MAX_LINE_CHARS = 160;

interface RunProgress {
  show(record: RunRecord): void;
  finish(outcome: RunOutcome): void;
}

/** Turns the records of a run into lines for `say`; `finish` gives the figures at the end. */
export function createRunProgress({ say, paint }: { say(text: string): void; paint: Paint }): RunProgress {
  return {
    show(record) {
      const line = toLine(record, paint);
      if (line !== undefined) say(`  ${line}`);
    },
    finish(outcome) {
      const { status, message, error, dir, eventsLost } = outcome;
      const figures = [
        `${(outcome.durationMs / 1000).toFixed(1)} s`,
        `${outcome.toolCalls} tool ${outcome.toolCalls === 1 ? "call" : "calls"}`,
        ...(outcome.sizes.rawBytes === 0 ? [] : [toSizes(outcome.sizes.rawBytes, outcome.sizes.keptBytes)]),
        ...(outcome.sizes.recoveredBytes === 0 ? [] : [`${toKb(outcome.sizes.recoveredBytes)} recovered`]),
        ...(outcome.cuts.count === 0 ? [] : [toCuts(outcome.cuts)]),
        ...(outcome.usage === undefined ? [] : [toTokens(outcome.usage)]),
        ...(outcome.costUsd === undefined ? [] : [toCost(outcome.costUsd)]),
      ];
      const style = status === "completed" ? "green" : "red";
      say(`jeeves: ${paint(style, status.replace("_", " "))} · ${figures.join(" · ")}`);
      if (message !== undefined) say(`        ${oneLine(message, 2_000)}`);
      if (error !== undefined) say(`        ${error.hint}`);
      if (eventsLost > 0) say(`        ${eventsLost} events could not be written to the log`);
      say(dir === undefined ? "        nothing was written down: no state directory" : paint("dim", `        ${dir}`));
    },
  };
}

function toLine({ event, data }: RunRecord, paint: Paint): string | undefined {
  const field = fieldsOf(data);
  switch (event) {
    case "run.started":
      return paint("dim", `${field.text("provider")} in ${field.text("cwd")}`);
    case "mcp_pruner.ready":
      return paint("dim", "pruner ready");
    case "mcp_pruner.disabled":
    case "mcp_pruner.degraded": {
      const code = field.number("exit_code");
      const how = [field.text("signal"), code === undefined ? "" : `exit code ${code}`].filter((each) => each !== "");
      const words = `${event.replace("mcp_", "").replace(".", " ")}: ${field.text("reason")}`;
      return paint("yellow", how.length === 0 ? words : `${words} (${how.join(", ")})`);
    }
    case "mcp_pruner.config_invalid":
      return paint("yellow", `${field.text("name")}=${field.text("value")}: expected ${field.text("expected")}`);
    case "mcp.config_invalid":
      return paint("yellow", `server ${field.text("server")} left out: ${field.text("message")}`);
    case "mcp_pruner.start_failed":
      return paint("yellow", `pruner: ${field.text("message")}`);
    case "agent.message":
      return field.text("text");
    case "agent.notice":
      return paint("yellow", field.text("message"));
    case "agent.tool_call":
      return `${paint("cyan", field.text("tool"))} ${paint("dim", field.json("input"))}`;
    case "agent.tool_result":
      return toResultLine(field, paint);
    case "meter.stopped":
      return paint("yellow", "too much was asked for again: this session is no longer cut");
    case "agent.usage":
      return paint("dim", toUsageLine(field));
    default:
      return undefined;
  }
}

type Fields = ReturnType<typeof fieldsOf>;

function toResultLine(field: Fields, paint: Paint): string | undefined {
  const recovered = field.number("recovered_bytes") ?? 0;
  const raw = field.number("raw_bytes");
  const parts = [
    ...(field.flag("is_error") ? [paint("red", `failed: ${field.text("text", 100)}`)] : []),
    ...(raw === undefined || raw === 0 ? [] : [toSizes(raw, field.number("kept_bytes") ?? raw)]),
    ...(recovered === 0 ? [] : [`${toKb(recovered)} recovered`]),
  ];
  return parts.length === 0 ? undefined : `  ${parts.join(" · ")}`;
}

function toUsageLine(field: Fields): string {
  const usage = {
    inputTokens: field.number("input_tokens") ?? 0,
    cachedInputTokens: field.number("cached_input_tokens") ?? 0,
    outputTokens: field.number("output_tokens") ?? 0,
  };
  const cost = field.number("cost_usd");
  return cost === undefined ? toTokens(usage) : `${toTokens(usage)} · ${toCost(cost)}`;
}

function fieldsOf(data: object | undefined) {
  const values = new Map<string, unknown>(Object.entries(data ?? {}));
  return {
    text: (name: string, maxChars = MAX_LINE_CHARS) => oneLine(String(values.get(name) ?? ""), maxChars),
    json: (name: string) => oneLine(JSON.stringify(values.get(name)) ?? "", MAX_LINE_CHARS),
    flag: (name: string) => values.get(name) === true,
    number: (name: string) => {
      const value = values.get(name);
      return typeof value === "number" ? value : undefined;
    },
  };
}

function toSizes(raw: number, kept: number): string {
  return kept === raw ? `${toKb(raw)}, all kept` : `${toKb(kept)} kept of ${toKb(raw)}, ${toKb(raw - kept)} dropped`;
}

function toCuts({ count, rawTokens, keptTokens }: RunOutcome["cuts"]): string {
  return `${count} ${count === 1 ? "cut" : "cuts"}: ${keptTokens} of ${rawTokens} tokens kept`;
}

function toKb(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

function toTokens(usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number }): string {
  const cached = usage.cachedInputTokens === 0 ? "" : ` (${usage.cachedInputTokens} cached)`;
  return `${usage.inputTokens}${cached} tokens in, ${usage.outputTokens} out`;
}

function toCost(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
