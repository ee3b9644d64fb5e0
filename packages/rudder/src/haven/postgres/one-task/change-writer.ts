// Changes of single tasks as the database takes them. All changes of a haven end one after the other at its row, so those
// of one process go together.
import type { Database } from "@jeeves/state";
import { noHaven } from "../postgres-reader.ts";
import { createBatches } from "./batches.ts";
import type { DatabaseClock } from "./database-clock.ts";

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms";
const WRITE = {
  name: "jeeves_change_tasks",
  text: `SELECT jeeves_change_tasks($1, $2, $3)::text[] AS made, ${NOW}`,
};

/** One change, in the words of the SQL function. Columns that are absent stay as they are. */
export interface ChangeRow {
  readonly key: string;
  readonly version: number;
  readonly mark: string;
  /** When the rule has decided; absent where it was given a moment of this very call by the database. */
  readonly judged_ms?: number | undefined;
  /** Versions of the artefacts that the rule has looked at. */
  readonly near?: Readonly<Record<string, number>> | undefined;
  readonly body?: string | null | undefined;
  readonly fields?: string | undefined;
  readonly epic?: string | null | undefined;
  readonly blockers?: readonly string[] | undefined;
  readonly has_state: boolean;
  readonly lease?: string | null | undefined;
  readonly holder?: string | null | undefined;
  readonly expires_ms?: number | undefined;
  readonly last_token?: number | undefined;
  readonly lost?: string | undefined;
  readonly assignment?: string | undefined;
  readonly lines?: readonly string[] | undefined;
  readonly page?: string | undefined;
  readonly page_body?: string | undefined;
  readonly event: string;
  readonly by_name: string;
  readonly detail: string;
  readonly operation?: string | undefined;
  readonly call?: string | undefined;
  readonly value?: string | undefined;
}

/** Writes a change: its number in the feed, or 0 or less where it has to be judged anew. */
export type ChangeWriter = (row: ChangeRow) => Promise<number>;

/** The writer of one haven. */
export function createChangeWriter(
  database: Database,
  { haven, clock }: { readonly haven: string; readonly clock: DatabaseClock },
): ChangeWriter {
  return createBatches<ChangeRow, number>({
    // In the order of their keys: no two transactions wait for each other.
    keyOf: ({ key }) => key,
    async send(rows) {
      const sentMs = performance.now();
      const [answer] = await database.query(WRITE, [haven, rows.length, toJson(rows)]);
      clock.learn(Number(answer?.now_ms), sentMs);
      if (!Array.isArray(answer?.made)) throw noHaven(haven);
      return answer.made.map(Number);
    },
  });
}

/** JSON that PostgreSQL takes as text: without NUL, and without halves of characters. */
function toJson(rows: readonly ChangeRow[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes("\\u")) return json;
  return json.replace(/\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g, (found) =>
    found === "\\\\" ? found : found === "\\u0000" ? "" : "\ufffd",
  );
}
