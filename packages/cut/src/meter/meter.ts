// What the cuts were worth, as a journal: one line per cut, recovery and miss, shared by every process of ours. Writing
// and reading it never fails a call and never delays one for long: a line that cannot be written is left out.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clientOf, isRecord, systemCodeOf } from "@jeeves/base";
import {
  BOOKKEEPING_WAIT_MS,
  createJournal,
  fallbackStateDir,
  guarded,
  isPrivateDir,
  notedFallbackDirs,
  openFallbackDir,
  readJournal,
  reportFault,
  resolveDataDir,
  resolveStateDir,
  waitMsOf,
} from "@jeeves/state";

/** What a line of the meter is about. */
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
  | "repeated"
  /** Too much was asked for again: this session is no longer cut, and an answer mentioned that. */
  | "stopped"
  /** What our own tools and instructions add to every turn of a session; once for each session. */
  | "surface";

/**
 * Lines that the session knows are left out · an outline and the best part · of what a program printed, failures and the
 * best part · as much as the engine finds useful · what the client displays of a text that is too long for it.
 */
export type CutForm = "unseen" | "outline" | "short" | "engine" | "page";

/** A line of the meter, with the field names of the file. */
export interface MeterEntry {
  readonly ts: string;
  readonly kind: MeterKind;
  readonly session: string;
  readonly client: string;
  readonly tool: string;
  readonly project: string;
  /** Of the whole text. */
  readonly raw_tokens: number;
  /** Of what was shown. */
  readonly kept_tokens: number;
  /** what the client would have shown without us; a cut saves the difference to `kept_tokens`. */
  readonly shown_tokens?: number;
  /** The whole prompt of the call before, in tokens, where a transcript has it. */
  readonly context_tokens?: number;
  /** Which cut it was. */
  readonly way?: CutForm;
  /** How likely the policy took it to be, from 0 to 1, that a part of the cut would be asked for again. */
  readonly risk?: number;
  /** lines of failures or of a clear match that are shown, and would not have been. */
  readonly made_visible?: number;
  /** Those of failures among them; earlier versions did not record it. */
  readonly visible_failures?: number;
  readonly prune_id?: string;
  /** Of `jeeves run`, where the call belongs to one. */
  readonly run_id?: string;
  /** What was read: a path, a command, a pattern. */
  readonly what?: string;
  /** What the reader was taken to want, in at most 500 characters. */
  readonly focus?: string;
  /** Milliseconds the cut took. */
  readonly ms?: number;
  /** A person's own `jeeves prune` or `jeeves recover`: no saving and no loss of an agent's. */
  readonly by?: "person";
}

/** An entry before it is written; the meter adds the time. */
export type MeterInput = Omit<MeterEntry, "ts">;

const KINDS: readonly string[] = [
  "cut",
  "shadow",
  "recovered",
  "missed",
  "repeated",
  "stopped",
  "surface",
] satisfies readonly MeterKind[];
/** How much of `what` and `focus` an entry keeps. */
export const MAX_WORDS_CHARS = 500;
/** Bytes that a call reads of a month: what a session did is near the end. */
const MAX_HISTORY_BYTES = 32 * 1024 * 1024;
const MONTH_FILE = /^\d{4}-\d\d\.jsonl$/;

/** The journal of cuts and recoveries. None of these rejects: what cannot be read or written is reported as a fault. */
export interface Meter {
  /** Writes a line, in the state directory or else in the fallback directory. */
  record(entry: MeterInput): Promise<void>;
  /** The entries of a session in order, from this month's and last month's files; none for "". */
  entriesOf(session: string): Promise<MeterEntry[]>;
  /**
   * The session that a cut belongs to; undefined where it is not in the meter. Where the same text was cut in several
   * sessions, it is `asking` if that is one of them, else the latest. "" where a caller without a session was shown it and
   * asks.
   */
  sessionOf(pruneId: string, asking?: string): Promise<string | undefined>;
}

/** The meter of this environment; its files are opened for each operation. */
export function createMeter(env: NodeJS.ProcessEnv, { now = () => new Date() } = {}): Meter {
  const waitMs = waitMsOf(env, BOOKKEEPING_WAIT_MS);

  /** The entries of this month and the last that hold `words`, as far as they can be read in time. */
  async function recent(words: string): Promise<readonly MeterEntry[]> {
    const since = monthBefore(now());
    let found: readonly MeterEntry[] = [];
    for (const base of basesOf(env)) {
      const collect = async (): Promise<MeterEntry[]> => {
        const entries: MeterEntry[] = [];
        for (const file of await meterFilesIn(base, since))
          for await (const entry of entriesIn(file, { holding: words, maxBytes: MAX_HISTORY_BYTES }))
            entries.push(entry);
        return entries;
      };
      try {
        found = [...found, ...(await guarded(base, waitMs, collect))];
      } catch (error) {
        reportFault("meter", join(base, "meter"), error);
      }
    }
    return found;
  }

  return {
    async record(entry) {
      const at = now().toISOString();
      for (const base of basesOf(env)) {
        const file = join(base, "meter", `${at.slice(0, 7)}.jsonl`);
        const append = async () => {
          if (base === fallbackStateDir(env)) await openFallbackDir(env);
          const journal = createJournal(file, { onlyPlain: true });
          try {
            await journal.append({ ts: at, ...tidied(entry), ...runOf(env) });
          } finally {
            await journal.close().catch(() => {});
          }
        };
        try {
          return await guarded(base, waitMs, append);
        } catch (error) {
          reportFault("meter", file, error); // and try the next directory, which a sandbox leaves writable
        }
      }
    },
    async entriesOf(session) {
      if (session === "") return [];
      const entries = (await recent(session)).filter((entry) => entry.session === session);
      return entries.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
    },
    async sessionOf(pruneId, asking = "") {
      let latest: MeterEntry | undefined;
      for (const entry of await recent(pruneId)) {
        if (entry.prune_id !== pruneId || entry.kind !== "cut") continue;
        if (entry.session === asking) return asking;
        if (entry.session === "") continue;
        if (latest === undefined || latest.ts <= entry.ts) latest = entry;
      }
      return latest?.session;
    },
  };
}

/** Bounds agents' words, which may be of any length. */
function tidied(entry: MeterInput): MeterInput {
  const { what, focus } = entry;
  return {
    ...entry,
    // A client calls itself by more than one name: to its servers, and to the commands that it runs.
    client: clientOf(entry.client)?.id ?? entry.client,
    ...(what === undefined ? {} : { what: what.slice(0, MAX_WORDS_CHARS) }),
    ...(focus === undefined ? {} : { focus: focus.slice(0, MAX_WORDS_CHARS) }),
  };
}

function runOf(env: NodeJS.ProcessEnv): { readonly run_id?: string } {
  return env.JEEVES_RUN_ID ? { run_id: env.JEEVES_RUN_ID } : {};
}

/** Every entry of every month, oldest month first. What cannot be read is reported as a fault and left out. */
export async function* readMeter(env: NodeJS.ProcessEnv): AsyncGenerator<MeterEntry> {
  for (const file of await meterFiles(env)) {
    const entries = entriesIn(file);
    try {
      // A file that hangs does so when it is opened; reading a large one may take its time.
      const first = await guarded(dirname(file), waitMsOf(env, BOOKKEEPING_WAIT_MS), () => entries.next());
      if (first.done !== true) yield first.value;
    } catch (error) {
      reportFault("meter", file, error);
      continue;
    }
    yield* entries;
  }
}

async function* entriesIn(
  file: string,
  options: { readonly holding?: string; readonly maxBytes?: number } = {},
): AsyncGenerator<MeterEntry> {
  try {
    for await (const entry of readJournal(file, options)) if (isMeterEntry(entry)) yield entry;
  } catch (error) {
    reportFault("meter", file, error);
  }
}

/**
 * The directories that may hold a meter: the state directory, its fallback in a sandbox, and those that were fallbacks with
 * another TMPDIR. Never rejects.
 */
export async function meterBases(env: NodeJS.ProcessEnv): Promise<string[]> {
  const noted = async () => {
    const dirs = await notedFallbackDirs([resolveStateDir(env), resolveDataDir(env)]);
    const own = await Promise.all(dirs.map(isPrivateDir));
    return dirs.filter((_, index) => own[index] === true);
  };
  const more = await guarded(resolveStateDir(env), waitMsOf(env, BOOKKEEPING_WAIT_MS), noted).catch(() => []);
  return [...new Set([...basesOf(env), ...more])];
}

/** The paths of the meter's files, one a month in each directory of `meterBases`. Never rejects. */
export async function meterFiles(env: NodeJS.ProcessEnv): Promise<string[]> {
  const files: string[] = [];
  for (const base of await meterBases(env)) {
    try {
      files.push(...(await guarded(base, waitMsOf(env, BOOKKEEPING_WAIT_MS), () => meterFilesIn(base))));
    } catch (error) {
      reportFault("meter", join(base, "meter"), error);
    }
  }
  return files;
}

async function meterFilesIn(base: string, since = ""): Promise<string[]> {
  const dir = join(base, "meter");
  const names = await readdir(dir).catch((error) => {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => MONTH_FILE.test(name) && name.slice(0, 7) >= since)
    .sort()
    .map((name) => join(dir, name));
}

function basesOf(env: NodeJS.ProcessEnv): string[] {
  return [...new Set([resolveStateDir(env), fallbackStateDir(env)])];
}

function monthBefore(date: Date): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** Whether a parsed line is an entry of the meter. */
export function isMeterEntry(entry: object): entry is MeterEntry {
  if (!isRecord(entry)) return false;
  return (
    KINDS.includes(String(entry.kind)) &&
    ["ts", "session", "client", "tool", "project"].every((name) => typeof entry[name] === "string") &&
    [entry.raw_tokens, entry.kept_tokens].every((count) => typeof count === "number" && count >= 0)
  );
}
