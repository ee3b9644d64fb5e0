// `jeeves stats`: what the cuts were worth, from the journal. It counts its own cost too, and says so where the sum is red.
import { type MeterEntry, readMeter } from "@jeeves/cut";
import { readPrices } from "../read-prices.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";
import { type Sums, sumUp } from "./stats-sums.ts";

export interface StatsOptions {
  readonly by?: "client" | "tool" | "project" | "day";
  readonly prices?: string;
  readonly json?: boolean;
}

type Part = Sums & { readonly name: string };

export async function statsCommand(options: StatsOptions): Promise<void> {
  tellStateFaults();
  const how = await readPrices(process.env, options.prices);
  const groups = new Map<string, MeterEntry[]>();
  const all: MeterEntry[] = [];
  for await (const entry of readMeter(process.env)) {
    all.push(entry);
    if (entry.by === "person") continue; // in a line of its own
    const key = options.by === undefined ? "" : nameOf(entry, options.by);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  const total = sumUp(all, how);
  const parts = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]): Part => ({ name, ...sumUp(entries, how) }));
  const out = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  if (options.json === true) {
    const { prices } = how;
    return out(JSON.stringify({ ...total, prices, ...(options.by === undefined ? {} : { by: options.by, parts }) }));
  }
  if (groups.size === 0) out("nothing was cut yet");
  else for (const line of linesOf(total)) out(line);
  if (total.by_hand.cuts + total.by_hand.recoveries > 0) out(byHandLine(total.by_hand));
  if (options.by !== undefined) for (const line of tableOf(options.by, parts)) out(line);
}

function nameOf(entry: MeterEntry, by: NonNullable<StatsOptions["by"]>): string {
  if (by === "day") return entry.ts.slice(0, 10);
  // The surface belongs to no call.
  if (by === "tool" && entry.kind === "surface") return "(surface)";
  return entry[by] || "(unknown)";
}

function linesOf(sums: Sums): string[] {
  const stopped = sums.stopped === 0 ? "" : `; ${sums.stopped} sessions are no longer cut`;
  const shadow =
    sums.shadow_cuts === 0
      ? []
      : [
          `shadow      ${sums.shadow_cuts} cuts would have saved ${sums.shadow_saved_tokens} tokens; ` +
            `${sums.shadow_missed} times lines of them were used later; net ${Math.round(sums.shadow_net)}`,
        ];
  return [
    `cuts        ${sums.cuts}: ${sums.raw_tokens} tokens raw, ${sums.kept_tokens} kept`,
    `recovered   ${sums.recoveries} times, ${sums.recovered_tokens} tokens; ${sums.asked_again} calls asked again${stopped}`,
    `surface     ${sums.surface_tokens} tokens a turn; ${Math.round(sums.surface_cost)} for ${sums.sessions === 1 ? "one session" : `all of ${sums.sessions} sessions`}`,
    ...shadow,
    `net         ${Math.round(sums.net)} input tokens at cache rates${sums.net < 0 ? " (a loss: try jeeves shadow)" : ""}`,
  ];
}

function byHandLine({ cuts, recoveries }: Sums["by_hand"]): string {
  const parts = [
    ...(cuts === 0 ? [] : [`${cuts} ${cuts === 1 ? "cut" : "cuts"}`]),
    ...(recoveries === 0 ? [] : [`${recoveries} ${recoveries === 1 ? "recovery" : "recoveries"}`]),
  ];
  return `by hand     ${parts.join(", ")}, not counted`;
}

function tableOf(by: string, parts: readonly Part[]): string[] {
  const rows = parts.map((part) => [
    part.name,
    String(part.cuts),
    String(part.raw_tokens),
    String(part.kept_tokens),
    String(part.recovered_tokens),
    String(part.shadow_saved_tokens),
    String(Math.round(part.net)),
  ]);
  const table = [[by, "cuts", "raw", "kept", "recovered", "shadow", "net"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const toLine = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return ["", ...table.map(toLine)];
}
