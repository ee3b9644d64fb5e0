// Calls that no run of ours made: a client's own session, seen by its hooks, by our tools or on the command line. The
// meter's entries of one session read like a run. Pure.
import { createHash } from "node:crypto";
import type { MeterEntry } from "@jeeves/cut";
import { meterToStep, type RunSummary, type Step, shorten } from "@jeeves/viewer";

/** A session in the form of a run, and its entries in the meter's order. */
export interface Session {
  readonly summary: RunSummary;
  readonly entries: readonly MeterEntry[];
}

/** Newest first. `runIds`: runs that are listed themselves. */
export function sessionsOf(entries: readonly MeterEntry[], runIds: ReadonlySet<string>): Session[] {
  const groups = new Map<string, MeterEntry[]>();
  for (const entry of entries) {
    if (entry.run_id !== undefined && runIds.has(entry.run_id)) continue;
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups]
    .map(([key, group]) => ({ summary: summaryOf(key, group), entries: group }))
    .sort((a, b) => ((a.summary.endedAt ?? "") < (b.summary.endedAt ?? "") ? 1 : -1));
}

/** Without a session of its own a call is filed under its client, its project and its day; a person's by themselves. */
function keyOf({ client, session, project, ts, by }: MeterEntry): string {
  return JSON.stringify(session === "" ? [client, "", project, ts.slice(0, 10), by] : [client, session]);
}

function summaryOf(key: string, entries: readonly MeterEntry[]): RunSummary {
  const [first] = entries;
  const last = entries.at(-1);
  const cuts = entries.filter(({ kind }) => kind === "cut");
  const sum = (some: readonly MeterEntry[], field: "raw_tokens" | "kept_tokens"): number =>
    some.reduce((total, entry) => total + entry[field], 0);
  const recovered = entries.filter(({ kind }) => kind === "recovered");
  const agent = first?.by === "person" ? "by hand" : (first?.client ?? "");
  const said = entries.find(({ focus }) => focus !== undefined && focus !== "")?.focus;
  return {
    id: `session-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`,
    title: said === undefined ? `${agent || "unknown client"} session` : shorten(said),
    agent,
    project: first?.project ?? "",
    status: "session",
    startedAt: first?.ts ?? "",
    ...(last === undefined ? {} : { endedAt: last.ts }),
    calls: entries.filter(({ kind }) => kind === "cut" || kind === "shadow").length,
    failedCalls: 0,
    sizes: {
      unit: "tokens",
      raw: sum(cuts, "raw_tokens"),
      kept: sum(cuts, "kept_tokens"),
      recovered: sum(recovered, "raw_tokens"),
    },
  };
}

/** An entry as a step of a timeline; `n` counts from 0. */
export function entryToStep(entry: MeterEntry, n: number): Step {
  return meterToStep(entry, { n, line: n + 1, ts: entry.ts, event: `meter.${entry.kind}`, level: "info" });
}
