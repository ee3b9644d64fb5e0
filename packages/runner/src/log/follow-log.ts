// What the servers write into the run's event log, as it comes. The runner writes into the same file; its own records
// carry the run's id and are left out.
import type { EventRecord } from "@jeeves/kit/events";
import { readJournal, tailJournal } from "@jeeves/state";
import { z } from "zod";

const POLL_MS = 100;

const recordSchema = z.object({
  ts: z.string(),
  level: z.enum(["debug", "info", "warn", "error"]),
  event: z.string(),
  request_id: z.string().optional(),
  data: z.looseObject({}).optional(),
});

interface LogFollower {
  /** Resolves when everything that is in the file now has been passed on. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

interface FollowOptions {
  readonly runId: string;
  readonly onRecord: (record: EventRecord) => void;
}

/**
 * Passes on each valid record that another process appends to `file`, as soon as it is seen (polled every 100 ms).
 * `stop` reads the file once more, so that records from just before the end are not missed.
 */
export function followLog(file: string, { runId, onRecord }: FollowOptions): LogFollower {
  const stopping = new AbortController();
  let toldCount = 0;

  /** Two readers walk the same lines; each line is passed on by the first one. */
  const tell = (index: number, entry: object) => {
    if (index < toldCount) return;
    toldCount = index + 1;
    const parsed = recordSchema.safeParse(entry);
    if (!parsed.success || parsed.data.data?.run_id === runId) return;
    const { request_id, data, ...rest } = parsed.data;
    onRecord({
      ...rest,
      ...(request_id === undefined ? {} : { request_id }),
      ...(data === undefined ? {} : { data }),
    });
  };

  async function tail(): Promise<void> {
    let index = 0;
    for await (const entry of tailJournal(file, { signal: stopping.signal, pollMs: POLL_MS })) tell(index++, entry);
  }
  // A log that cannot be read is ignored; the run goes on.
  const tailing = tail().catch(() => {});

  async function catchUp(): Promise<void> {
    let index = 0;
    try {
      for await (const entry of readJournal(file)) tell(index++, entry);
    } catch {
      // As above.
    }
  }
  return {
    catchUp,
    async stop() {
      await catchUp();
      stopping.abort();
      await tailing;
    },
  };
}
