// Which calls and results of a session are still in its context: those behind the last compaction and, where the
// transcript is a tree, on the branch that its last record is on. In doubt one is not: then it is only shown again.
import type { TranscriptEvent, TranscriptRecord, TreePlace } from "./transcript-event.ts";

/** What Claude Code puts in the place of an old result. */
const CLEARED_RESULT = "[Old tool result content cleared]";

/** Nothing above such a record is in the context for certain. */
export function endsContext({ events }: TranscriptRecord): boolean {
  return events.some(({ kind }) => kind === "compacted" || kind === "cleared");
}

/** The records of a session's own thread, in their order, without the calls and results that are not in its context. */
export function inContext(records: readonly TranscriptRecord[]): TranscriptRecord[] {
  const start = records.findLastIndex(endsContext) + 1;
  const recent = records.slice(start);
  const branch = branchIn(recent.flatMap(({ place }) => place ?? []));
  const isOn = (record: TranscriptRecord) => branch === undefined || branch.on.has(record.place?.id ?? "");
  const answered = new Set<string>();
  const cleared = new Set<string>();
  for (const record of recent)
    for (const event of record.events) {
      if (event.kind !== "result") continue;
      if (event.text.trimStart().startsWith(CLEARED_RESULT)) cleared.add(event.id);
      else if (isOn(record)) answered.add(event.id);
    }
  const isKept = (record: TranscriptRecord, event: TranscriptEvent): boolean => {
    if (event.kind !== "call" && event.kind !== "result") return true;
    if (!isOn(record) || cleared.has(event.id)) return false;
    return branch === undefined || branch.whole.has(record.place?.id ?? "") || answered.has(event.id);
  };
  return records.map((record, index) => ({
    ...record,
    events: record.events.filter((event) => index >= start && isKept(record, event)),
  }));
}

interface Branch {
  /** The records that count. */
  readonly on: ReadonlySet<string>;
  /** Those of messages all of whose results went back to the model, or are still to come. */
  readonly whole: ReadonlySet<string>;
}

/**
 * The branch of the last record; undefined where there is no tree. A result hangs off its own call, and what follows hangs
 * off the result that came last. So of parallel calls some are beside the way from the end to the root: they count where
 * the model answered their message's results, or has not yet. Where a prompt came instead, they may have been left behind.
 */
function branchIn(places: readonly TreePlace[]): Branch | undefined {
  const last = places.at(-1);
  if (last === undefined) return undefined;
  const byId = new Map(places.map((place) => [place.id, place]));
  const [on, whole] = [new Set<string>(), new Set<string>()];
  let below: TreePlace | undefined;
  let isAnswered = true;
  for (let place: TreePlace | undefined = last; place !== undefined && !on.has(place.id); ) {
    on.add(place.id);
    if (place.message !== undefined) {
      const isSame = below?.message === place.message;
      if (isSame ? whole.has(below?.id ?? "") : isAnswered) whole.add(place.id);
      isAnswered = true;
      below = place;
    } else if (place.isPrompt) isAnswered = false;
    place = byId.get(place.parent ?? "");
  }
  for (const { id, parent = "", message } of places) {
    if (!whole.has(parent) || on.has(id)) continue;
    const isBlock = message !== undefined && message === byId.get(parent)?.message;
    if (isBlock) whole.add(id);
    if (isBlock || message === undefined) on.add(id);
  }
  return { on, whole };
}
