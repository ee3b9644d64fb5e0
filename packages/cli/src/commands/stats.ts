// `jeeves stats`: the bill of a period by part, and what the cuts were worth in it, from the clients' own transcripts and
// the meter. A loss is shown as a loss.
import { type MeterEntry, meterBases, readMeter } from "@jeeves/cut";
import { type Grouping, groupBy } from "../stats/groups.ts";
import { DEFAULT_SINCE, parseSince } from "../stats/period.ts";
import { findPromptFilling } from "../stats/prompt-filling.ts";
import { shadowLine, shadowVerdict } from "../stats/shadow-line.ts";
import { type Statistics, toStatistics } from "../stats/statistics.ts";
import { toJson, toJsonRow } from "../stats/to-json.ts";
import { openTranscriptBook } from "../stats/transcript-book.ts";
import { linesOf, tableOf } from "../stats/words.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";
import { withoutOnHalf } from "../trial/on-half.ts";

/** The options of the command. */
interface StatsOptions {
  readonly since?: number;
  readonly by?: Grouping;
  readonly shadow?: boolean;
  readonly json?: boolean;
}

/** Prints the bill and what the cuts saved: with `shadow` as one line, with `json` as one object. */
export async function statsCommand({ by, shadow = false, json = false, ...options }: StatsOptions): Promise<void> {
  tellStateFaults();
  const { env } = process;
  const sinceMs = options.since ?? parseSince(DEFAULT_SINCE, Date.now()) ?? 0;
  const found = await readStatistics(env, sinceMs);
  const out = (lines: readonly string[]): void => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  };
  if (shadow) {
    const verdict = shadowVerdict(await withoutOnHalf(found.sessions, env));
    return out([json ? JSON.stringify(verdict) : shadowLine(verdict)]);
  }
  const groups = by === undefined ? undefined : groupBy([...found.sessions, ...found.others], by);
  const filling = await findPromptFilling(found.sessions, env);
  if (json) {
    const places = await meterBases(env);
    const parts = groups === undefined ? {} : { by, parts: groups.map(toJsonRow) };
    return out([JSON.stringify({ ...toJson(found, { sinceMs, filling }), meter_places: places, ...parts })]);
  }
  out([
    ...linesOf(found, { filling, sinceMs }),
    ...(by === undefined || groups === undefined ? [] : tableOf(by, groups)),
  ]);
}

async function readStatistics(env: NodeJS.ProcessEnv, sinceMs: number): Promise<Statistics> {
  const entries: MeterEntry[] = [];
  for await (const entry of readMeter(env)) entries.push(entry);
  return toStatistics(entries, await openTranscriptBook(env).read({ sinceMs }), sinceMs);
}
