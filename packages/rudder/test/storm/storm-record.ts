// What the clients of a storm wrote down, as a history of calls.
import type { Call } from "./linearizable.ts";

export interface Note {
  readonly agent: string;
  readonly at: number;
  readonly step: "send" | "again" | "ack" | "lost" | "end";
  readonly id: string;
  readonly op: Call["op"] | "sync";
  readonly task: string;
  readonly ok?: boolean;
  /** The beginning of the answer's text. */
  readonly text?: string;
  readonly error?: string;
}

export interface Hold {
  readonly task: string;
  readonly agent: string;
  readonly from: number;
  readonly to: number;
}

/** Sure holds only: from the acknowledgement, to the end of the term that was asked for, or to the release. */
export function holdsOf(notes: readonly Note[], ttlMs: number): Hold[] {
  const holds: Hold[] = [];
  for (const [agent, own] of groupBy(notes, (note) => note.agent)) {
    const sent = new Map(own.filter((note) => note.step === "send").map((note) => [note.id, note.at]));
    for (const [task, about] of groupBy(own, (note) => note.task ?? "")) {
      let from = -1;
      let to = -1;
      const close = (): void => {
        if (from >= 0 && to > from) holds.push({ task, agent, from, to });
        from = -1;
      };
      for (const note of [...about].sort((a, b) => a.at - b.at)) {
        if (note.step === "ack" && note.ok === true && (note.op === "claim" || note.op === "renew")) {
          if (from < 0 || note.at > to) {
            close();
            from = note.at;
          }
          to = (sent.get(note.id) ?? note.at) + ttlMs;
        }
        if (note.step === "send" && note.op === "release") {
          to = Math.min(to, note.at);
          close();
        }
      }
      close();
    }
  }
  return holds;
}

export function overlapsOf(holds: readonly Hold[]): string[] {
  const overlaps: string[] = [];
  for (const [task, all] of groupBy(holds, (hold) => hold.task)) {
    const sorted = [...all].sort((a, b) => a.from - b.from);
    sorted.forEach((hold, index) => {
      const next = sorted.slice(index + 1).find((other) => other.agent !== hold.agent && other.from < hold.to);
      if (next !== undefined) overlaps.push(`${task}: ${JSON.stringify(hold)} and ${JSON.stringify(next)}`);
    });
  }
  return overlaps;
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A line of a record while it is written: none where it is only half there. */
export function toNote(line: string): Note[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The calls of one operation that were acknowledged. */
export function ackedIn(notes: readonly Note[], op: string): Note[] {
  return notes.filter((note) => note.step === "ack" && note.ok === true && note.op === op);
}

const CODES: readonly (readonly [RegExp, string])[] = [
  [/^Lease lost: /, "lost"],
  [/ is held by /, "held"],
  [/ has no lease of yours/, "not_held"],
  [/ is (?:Done|Cancelled)\b/, "closed"],
];

/** The code of a refusal by the rules; undefined for any other failure. */
export function refusalIn(text: string): string | undefined {
  return CODES.find(([words]) => words.test(text))?.[1];
}

/** What each caller saw: a call from its first sending to its last answer. */
export function toHistory(notes: readonly Note[], ttlMs: number): Call[] {
  const calls: Call[] = [];
  const sent = new Map<string, Note>();
  const finish = (note: Note): void => {
    const start = sent.get(note.id);
    if (start === undefined || start.op === "sync") return;
    sent.delete(note.id);
    calls.push({
      id: start.id,
      task: start.task,
      by: { kind: "name", name: start.agent },
      op: start.op,
      ttlMs,
      sentMs: start.at,
      endMs: note.at,
      answer: answerOf(note),
    });
  };
  for (const note of notes) {
    if (note.step === "send") sent.set(note.id, note);
    if (note.step === "ack" || note.step === "lost") finish(note);
  }
  for (const note of sent.values()) finish({ ...note, step: "lost" });
  return calls;
}

function answerOf(note: Note): Call["answer"] {
  if (note.step !== "ack") return undefined;
  const text = note.text ?? "";
  if (note.ok !== true) return { kind: "refused", code: refusalIn(text) ?? text };
  const event = /^T\d+ {2}(claimed|renewed|taken over):/.exec(text)?.[1]?.replace(" ", "-");
  const token = /, token (\d+)/.exec(text)?.[1];
  return {
    kind: "done",
    ...(event === undefined ? {} : { event }),
    ...(token === undefined ? {} : { token: Number(token) }),
  };
}

interface AuditLease {
  readonly holder: { readonly name: string };
  readonly token: number;
  readonly expiresAtMs: number;
}

interface AuditLine {
  readonly taskId: string;
  readonly by?: string;
  readonly monotonic_ms: number;
  readonly event: string;
  readonly at: string;
  readonly forced?: boolean;
  readonly from?: AuditLease;
  readonly to?: AuditLease;
}

/** What the haven's audit says about leases: how many lines, where one does not follow from the last, what is wrong. */
export function auditOf(text: string): { lines: number; gaps: string[]; wrong: string[] } {
  const all: AuditLine[] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const about = all.filter((line) => ["claimed", "renewed", "taken-over", "released"].includes(line.event));
  const gaps: string[] = [];
  const wrong: string[] = [];
  const last = new Map<string, AuditLease | undefined>();
  const tokens = new Map<string, number>();
  for (const line of about) {
    const { from, to, taskId } = line;
    const before = last.get(taskId);
    const isSame = before?.holder.name === from?.holder.name && before?.token === from?.token;
    if (last.has(taskId) && !isSame) gaps.push(JSON.stringify(line));
    const changesHands = from !== undefined && to !== undefined && from.holder.name !== to.holder.name;
    // Both are of the same reading of the clock, wherever that stood.
    if (changesHands && from.expiresAtMs > Date.parse(line.at)) wrong.push(JSON.stringify(line));
    const isNew = line.event === "claimed" || line.event === "taken-over";
    if (isNew && (to?.token ?? 0) <= (tokens.get(taskId) ?? 0)) wrong.push(JSON.stringify(line));
    if (isNew) tokens.set(taskId, to?.token ?? 0);
    last.set(taskId, to);
  }
  return { lines: about.length, gaps, wrong };
}

const EVENTS: Readonly<Record<Call["op"], readonly string[]>> = {
  claim: ["claimed", "taken-over", "renewed"],
  renew: ["renewed"],
  release: ["released"],
  log: [],
  edit: [],
};

/** The same calls with a hint from the audit: when a change by the same caller on the same task was made. */
export function withHints(calls: readonly Call[], audit: string): Call[] {
  const lines: AuditLine[] = audit
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const byKey = groupBy(lines, (line) => `${line.taskId} ${line.by ?? ""}`);
  const used = new Set<AuditLine>();
  return [...calls]
    .sort((a, b) => a.sentMs - b.sentMs)
    .map((call) => {
      const found = (byKey.get(`${call.task} ${call.by.name}`) ?? []).find(
        (line) =>
          !used.has(line) &&
          EVENTS[call.op].includes(line.event) &&
          line.monotonic_ms >= call.sentMs - 5 &&
          line.monotonic_ms <= (call.endMs ?? Number.POSITIVE_INFINITY) + 5 &&
          (call.answer === undefined ||
            (call.answer.kind === "done" && (call.answer.event === undefined || call.answer.event === line.event))),
      );
      if (found === undefined) return call;
      used.add(found);
      return { ...call, hintMs: found.monotonic_ms };
    });
}
