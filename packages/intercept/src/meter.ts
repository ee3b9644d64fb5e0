// What the cuts were worth, as a journal: one line per cut, recovery and miss, shared by every process of ours. Writing
// it never fails a call; a line that could not be written is a figure less, not an answer less.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createJournal, fallbackStateDir, readJournal, resolveStateDir } from "@jeeves/state";
import { makeOwnDir } from "./own-dir.ts";
import { isRecord } from "./tool-event.ts";

export type MeterKind =
  /** Shown shorter. */
  | "cut"
  /** Would have been shown shorter (shadow). */
  | "shadow"
  /** Lines that a cut had left out were asked for. */
  | "recovered"
  /** Lines that a shadow cut would have left out were used. */
  | "missed"
  /** The same call again: the first cut was not enough. */
  | "repeated";

export interface MeterEntry {
  readonly ts: string;
  readonly kind: MeterKind;
  readonly session: string;
  readonly client: string;
  readonly tool: string;
  readonly project: string;
  readonly raw_tokens: number;
  readonly kept_tokens: number;
  readonly prune_id?: string;
}

const KINDS: readonly string[] = ["cut", "shadow", "recovered", "missed", "repeated"] satisfies readonly MeterKind[];

export interface Meter {
  record(entry: Omit<MeterEntry, "ts">): Promise<void>;
  /** What this session did so far, in order, as far as today's and the last month's files tell. */
  entriesOf(session: string): Promise<MeterEntry[]>;
}

export function createMeter(env: NodeJS.ProcessEnv, { now = () => new Date() } = {}): Meter {
  return {
    async record(entry) {
      const at = now().toISOString();
      for (const base of basesOf(env)) {
        const journal = createJournal(join(base, "meter", `${at.slice(0, 7)}.jsonl`));
        try {
          if (base === fallbackStateDir(env)) await makeOwnDir(base);
          await journal.append({ ts: at, ...entry });
          return;
        } catch {
          // A sandbox: the next place.
        } finally {
          await journal.close().catch(() => {});
        }
      }
    },
    async entriesOf(session) {
      if (session === "") return [];
      const entries: MeterEntry[] = [];
      for await (const entry of readMeter(env, { since: monthBefore(now()) }))
        if (entry.session === session) entries.push(entry);
      return entries.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
    },
  };
}

/** Every entry of every month since `since` (YYYY-MM), oldest month first. */
export async function* readMeter(
  env: NodeJS.ProcessEnv,
  { since = "" }: { readonly since?: string } = {},
): AsyncGenerator<MeterEntry> {
  for (const base of basesOf(env)) {
    const dir = join(base, "meter");
    const names = await readdir(dir).catch(() => []);
    for (const name of names.sort()) {
      if (!/^\d{4}-\d\d\.jsonl$/.test(name) || name.slice(0, 7) < since) continue;
      for await (const entry of readJournal(join(dir, name))) if (isMeterEntry(entry)) yield entry;
    }
  }
}

function basesOf(env: NodeJS.ProcessEnv): string[] {
  return [resolveStateDir(env), fallbackStateDir(env)];
}

function monthBefore(date: Date): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

function isMeterEntry(entry: object): entry is MeterEntry {
  if (!isRecord(entry)) return false;
  return (
    KINDS.includes(String(entry.kind)) &&
    ["ts", "session", "client", "tool", "project"].every((name) => typeof entry[name] === "string") &&
    [entry.raw_tokens, entry.kept_tokens].every((count) => typeof count === "number" && count >= 0)
  );
}
