// The runs of `jeeves run` as the viewer wants them: their directories found by listing, never by a name that a caller
// sent, and their logs read by windows. Whatever is damaged is shown as damaged.
import type { Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { fallbackStateDir, readJournal, resolveStateDir } from "@jeeves/state";
import { type EventLog, openEventLog, type RunStatus, type RunSummary, type Sizes, shorten } from "@jeeves/viewer";
import { isOwnerAlive } from "./owner-alive.ts";

/** Looked at for the list, newest first. */
const MAX_LISTED = 300;
const MAX_OPEN_LOGS = 8;
const MAX_RUN_FILE_BYTES = 1024 * 1024;
const STATUSES: readonly string[] = ["running", "completed", "failed", "max_turns", "cancelled", "timed_out"];

interface RunDirs {
  list(): Promise<{ readonly runs: readonly RunSummary[]; readonly total: number }>;
  find(id: string): Promise<{ readonly run: RunSummary; readonly log: EventLog } | undefined>;
  stamp(id?: string): Promise<string>;
}

/** The runs in the state directory and in its fallback. A damaged one is listed, with the status `unreadable`. */
export function openRunDirs(env: NodeJS.ProcessEnv): RunDirs {
  const bases = [resolveStateDir(env), fallbackStateDir(env)].map((base) => join(base, "runs"));
  const logs = new Map<string, EventLog>();
  /** What was read from run.json, by its time and size: a run that has ended does not change. */
  const summaries = new Map<string, { readonly key: string; readonly run: RunSummary }>();

  async function dirs(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const base of bases) {
      for (const entry of await readdir(base, { withFileTypes: true }).catch(() => [])) {
        if (entry.isDirectory() && !found.has(entry.name)) found.set(entry.name, join(base, entry.name));
      }
    }
    return found;
  }

  function logOf(dir: string): EventLog {
    const log = logs.get(dir) ?? openEventLog(join(dir, "events.jsonl"));
    logs.delete(dir);
    logs.set(dir, log);
    for (const oldest of logs.keys()) {
      if (logs.size <= MAX_OPEN_LOGS) break;
      logs.delete(oldest);
    }
    return log;
  }

  async function summaryOf(id: string, dir: string): Promise<RunSummary> {
    const file = join(dir, "run.json");
    const stats = await stat(file).catch(() => undefined);
    const key = `${stats?.mtimeMs} ${stats?.size}`;
    const known = summaries.get(dir);
    if (known?.key === key && known.run.status !== "running") return known.run;
    const run = await readSummary(id, { file, stats });
    const isUnfinished = run.status === "running" || run.status === "interrupted";
    const live = isUnfinished ? await withLiveFigures(run, logOf(dir)) : run;
    const fresh = live.status === "interrupted" ? { ...live, ...(await endOf(join(dir, "events.jsonl"))) } : live;
    summaries.set(dir, { key, run: fresh });
    return fresh;
  }

  return {
    async list() {
      const found = [...(await dirs())].sort(([a], [b]) => (a < b ? 1 : -1));
      const listed = found.slice(0, MAX_LISTED);
      return { runs: await Promise.all(listed.map(([id, dir]) => summaryOf(id, dir))), total: found.length };
    },
    async find(id) {
      const dir = (await dirs()).get(id);
      if (dir === undefined) return undefined;
      return { run: await summaryOf(id, dir), log: logOf(dir) };
    },
    async stamp(id) {
      const found = await dirs();
      const wanted = id === undefined ? [...found].sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, 20) : [...found];
      const parts = await Promise.all(
        wanted
          .filter(([name]) => id === undefined || name === id)
          .map(async ([name, dir]) => {
            const [log, run] = await Promise.all(
              ["events.jsonl", "run.json"].map((file) => stat(join(dir, file)).catch(() => undefined)),
            );
            // A runner that is killed changes no file.
            const known = summaries.get(dir)?.run.status;
            const { status } =
              known === "running"
                ? await readSummary(name, { file: join(dir, "run.json"), stats: run })
                : { status: known };
            return `${name} ${log?.size} ${run?.mtimeMs} ${status === "interrupted"}`;
          }),
      );
      return `${id === undefined ? found.size : ""} ${parts.join(", ")}`;
    },
  };
}

/** run.json is written when a state changes; in between, and where no end was written, the log knows more. */
async function withLiveFigures(run: RunSummary, log: EventLog): Promise<RunSummary> {
  await log.window({ view: "steps", from: 0, count: 0 }, { signal: new AbortController().signal });
  const { callCount, sums, tokens } = log.index;
  return { ...run, calls: callCount, sizes: sizesOf(sums, tokens) };
}

/** How a run ended whose runner is gone and whose run.json does not say: on a full disk only one of its files was written. */
async function endOf(log: string): Promise<Pick<RunSummary, "message"> & Partial<RunSummary>> {
  const unknown = { message: "its process is gone, and wrote down no end" };
  try {
    let end: Partial<RunSummary> | undefined;
    for await (const entry of readJournal(log, { holding: "run.ended" })) {
      const { event, ts, data } = entry as Partial<Record<string, unknown>>;
      if (event !== "run.ended" || !isRecord(data)) continue;
      const { status, message } = data;
      if (!isStatus(status)) continue;
      const words = typeof message === "string" ? { message: shorten(message) } : {};
      end = { status, ...(typeof ts === "string" ? { endedAt: ts } : {}), ...words };
    }
    return end ?? unknown;
  } catch {
    return unknown; // there is no log
  }
}

async function readSummary(
  id: string,
  { file, stats }: { readonly file: string; readonly stats: Stats | undefined },
): Promise<RunSummary> {
  const unreadable = (message: string): RunSummary => ({
    id,
    title: id,
    agent: "",
    project: "",
    status: "unreadable",
    message,
    startedAt: timeInId(id),
    calls: 0,
    failedCalls: 0,
    sizes: { unit: "bytes", raw: 0, kept: 0, recovered: 0 },
  });
  if (stats === undefined) return unreadable("there is no run.json; what happened may still be in its events");
  // A pipe would keep its reader waiting for ever.
  if (!stats.isFile()) return unreadable("run.json is not a file; what happened may still be in its events");
  if (stats.size > MAX_RUN_FILE_BYTES) return unreadable(`run.json has ${stats.size} bytes, which is none of ours`);
  let fields: Record<string, unknown>;
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null) return unreadable("run.json is not an object");
    fields = { ...value };
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    return unreadable(`run.json ${why}; what happened may still be in its events`);
  }
  const text = (name: string): string => (typeof fields[name] === "string" ? String(fields[name]) : "");
  const count = (name: string): number => {
    const value = fields[name];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  const optional = <Name extends string>(name: Name, value: string) =>
    value === "" ? {} : ({ [name]: value } as Record<Name, string>);
  return {
    id,
    title: shorten(text("prompt")) || id,
    agent: text("provider"),
    project: text("cwd"),
    status: statusOf(fields),
    startedAt: text("started_at") || timeInId(id),
    ...optional("endedAt", text("ended_at")),
    ...optional("model", text("model")),
    ...optional("message", shorten(text("message"))),
    calls: count("tool_calls"),
    failedCalls: count("failed_tool_calls"),
    sizes: sizesOf(
      { raw: count("raw_bytes"), kept: count("kept_bytes"), recovered: count("recovered_bytes") },
      {
        raw: count("cut_raw_tokens"),
        kept: count("cut_kept_tokens"),
        recovered: count("cut_recovered_tokens"),
      },
    ),
  };
}

function statusOf(fields: Readonly<Record<string, unknown>>): RunStatus {
  const { status, owner } = fields;
  if (status === "running") return isOwnerAlive(owner) ? "running" : "interrupted";
  return isStatus(status) ? status : "unreadable";
}

function isStatus(value: unknown): value is RunStatus {
  return typeof value === "string" && STATUSES.includes(value);
}

/** Our own tools tell their sizes in bytes; of the agent's own, cut by hooks, the meter knows tokens. */
function sizesOf(bytes: Omit<Sizes, "unit">, tokens: Omit<Sizes, "unit">): Sizes {
  return bytes.raw > 0 || tokens.raw === 0 ? { unit: "bytes", ...bytes } : { unit: "tokens", ...tokens };
}

/** `20261115T221500Z-…`: an id holds the time when its run began. */
function timeInId(id: string): string {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id);
  if (found === null) return "";
  const [, year, month, day, hour, minute, second] = found;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
