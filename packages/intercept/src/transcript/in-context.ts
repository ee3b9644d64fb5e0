// Which calls and results of a session are still in its context: those after the last compaction and, where the transcript
// is a tree, on the branch of its last record. In doubt one counts as gone: then it is only shown again.
import type { TranscriptEvent, TranscriptRecord, TreePlace } from "./transcript-event.ts";

/** Claude Code's replacement for an old result. */
const CLEARED_RESULT = "[Old tool result content cleared]";

/** Whether records above this one may be gone from the context. */
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
  /** Records of messages whose results all went back to the model, or are still to come. */
  readonly whole: ReadonlySet<string>;
}

/**
 * The branch of the last record; undefined where there is no tree. A result is a child of its own call, and the next record
 * is a child of the last result. So some of several parallel calls are not on the path from the end to the root: they count
 * where the model has answered their message's results, or not yet. Where a prompt came instead, they may be abandoned.
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
