// The query of a request, validated before anything is looked up.
import type { IncomingMessage } from "node:http";
import { HttpError } from "@jeeves/kit/http";
import { z } from "zod";

const line = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const id = z.string().min(1).max(200);

/** The most rows of one answer: many times what a screen shows. */
export const MAX_WINDOW = 1_000;

/** The schema of each route's query. */
export const QUERIES = {
  none: z.object({}),
  timeline: z.object({
    id,
    view: z.enum(["steps", "events"]).default("steps"),
    from: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    count: z.coerce.number().int().min(1).max(MAX_WINDOW).default(200),
  }),
  record: z.object({ id, line }),
  cut: z.object({ id }),
  lines: z.object({ id, from: line, to: line }),
  /** The period in milliseconds until now, by the server's clock; 0 for all data. */
  savings: z.object({ last: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) }),
  live: z.object({ topic: z.enum(["runs", "run", "savings", "haven", "none"]).default("none"), id: id.optional() }),
} as const;

/** Throws an HttpError (400 `invalid_query`) that names the first bad field. Of a repeated name the last value counts. */
export function parseQuery<T extends z.ZodType>(request: IncomingMessage, schema: T): z.output<T> {
  const { searchParams } = new URL(request.url ?? "/", "http://viewer.invalid");
  const parsed = schema.safeParse(Object.fromEntries(searchParams));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new HttpError(400, "invalid_query", `${issue?.path.join(".") ?? "query"}: ${issue?.message ?? "invalid"}`);
}
