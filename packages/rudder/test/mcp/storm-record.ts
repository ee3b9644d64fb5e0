// What the clients of a storm wrote down, and what follows from it: who surely held what, from when to when.

export interface Note {
  readonly agent: string;
  readonly at: number;
  readonly step: "send" | "ack" | "lost" | "end";
  readonly id: string;
  readonly op: "claim" | "renew" | "release" | "log" | "sync";
  readonly task: string;
  readonly ok?: boolean;
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
