// `jeeves stats`: what the cuts were worth, from the journal. It counts its own cost too, and says so where the sum is red.
import { readFile } from "node:fs/promises";
import {
  costOfRecovery,
  costOfToken,
  DEFAULT_PRICES,
  type MeterEntry,
  type PriceList,
  readMeter,
} from "@jeeves/intercept";
import { CliError } from "../cli-error.ts";

export interface StatsOptions {
  readonly by?: "client" | "tool" | "project" | "day";
  readonly prices?: string;
  readonly json?: boolean;
}

export interface Sums {
  cuts: number;
  raw_tokens: number;
  kept_tokens: number;
  recoveries: number;
  recovered_tokens: number;
  asked_again: number;
  shadow_cuts: number;
  shadow_saved_tokens: number;
  shadow_missed: number;
  /** In input tokens: what was saved, less what was asked for again and what our own surface costs. */
  net: number;
}

export async function statsCommand(options: StatsOptions): Promise<void> {
  const prices = options.prices === undefined ? DEFAULT_PRICES : await readPrices(options.prices);
  const groups = new Map<string, MeterEntry[]>();
  const all: MeterEntry[] = [];
  for await (const entry of readMeter(process.env)) {
    all.push(entry);
    const key = options.by === undefined ? "" : options.by === "day" ? entry.ts.slice(0, 10) : entry[options.by];
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const total = sumUp(all, prices);
  const parts = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) => ({ name, ...sumUp(entries, prices) }));
  const out = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  if (options.json === true) {
    out(JSON.stringify({ ...total, prices, ...(options.by === undefined ? {} : { by: options.by, parts }) }));
    return;
  }
  if (all.length === 0) return out("nothing was cut yet");
  for (const line of linesOf(total)) out(line);
  if (options.by === undefined) return;
  for (const part of parts)
    out(`${part.name || "(unknown)"}: ${part.cuts + part.shadow_cuts} cuts, net ${Math.round(part.net)} tokens`);
}

export function sumUp(entries: readonly MeterEntry[], prices: PriceList): Sums {
  const of = (...kinds: readonly MeterEntry["kind"][]) => entries.filter(({ kind }) => kinds.includes(kind));
  const add = (some: readonly MeterEntry[], field: "raw_tokens" | "kept_tokens") =>
    some.reduce((sum, entry) => sum + entry[field], 0);
  const [cuts, shadows, recovered] = [of("cut"), of("shadow"), of("recovered")];
  const saved = add(cuts, "raw_tokens") - add(cuts, "kept_tokens");
  const sessions = new Set(cuts.map(({ session }) => session)).size;
  const surface = sessions * prices.surfaceTokens * costOfToken(prices);
  const back = recovered.reduce((sum, entry) => sum + costOfRecovery(prices, entry.raw_tokens), 0);
  const again = of("repeated").reduce((sum, entry) => sum + costOfRecovery(prices, entry.raw_tokens), 0);
  return {
    cuts: cuts.length,
    raw_tokens: add(cuts, "raw_tokens"),
    kept_tokens: add(cuts, "kept_tokens"),
    recoveries: recovered.length,
    recovered_tokens: add(recovered, "raw_tokens"),
    asked_again: of("repeated").length,
    shadow_cuts: shadows.length,
    shadow_saved_tokens: add(shadows, "raw_tokens") - add(shadows, "kept_tokens"),
    shadow_missed: of("missed").length,
    net: saved * costOfToken(prices) - back - again - surface,
  };
}

function linesOf(sums: Sums): string[] {
  const shadow =
    sums.shadow_cuts === 0
      ? []
      : [
          `shadow      ${sums.shadow_cuts} cuts would have saved ${sums.shadow_saved_tokens} tokens; ` +
            `lines of ${sums.shadow_missed} were used later`,
        ];
  return [
    `cuts        ${sums.cuts}: ${sums.raw_tokens} tokens raw, ${sums.kept_tokens} kept`,
    `recovered   ${sums.recoveries} times, ${sums.recovered_tokens} tokens; ${sums.asked_again} calls asked again`,
    ...shadow,
    `net         ${Math.round(sums.net)} input tokens at cache rates${sums.net < 0 ? " (a loss: try jeeves shadow)" : ""}`,
  ];
}

async function readPrices(file: string): Promise<PriceList> {
  const bad = (why: string) =>
    new CliError(`${file} ${why}`, `a JSON object with ${Object.keys(DEFAULT_PRICES).join(", ")}`);
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw bad(error instanceof SyntaxError ? "is not valid JSON" : "cannot be read");
  }
  if (typeof given !== "object" || given === null) throw bad("is not an object");
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_PRICES, name)) throw bad(`names ${name}, which is no rate`);
    if (typeof value !== "number" || !(value >= 0)) throw bad(`gives ${name} no number of at least 0`);
  }
  return { ...DEFAULT_PRICES, ...given };
}
