// What a request asks for, taken from its query: parsed whole before anything is looked up, refused with its name.
import type { IncomingMessage } from "node:http";
import { HttpError } from "@jeeves/kit/http";
import { z } from "zod";

const line = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const id = z.string().min(1).max(200);

/** A window is what a screen can show many times over, and no more. */
export const MAX_WINDOW = 1_000;

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
  /** The last so many milliseconds, by our clock and not the browser's; 0 for everything there is. */
  savings: z.object({ last: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) }),
  live: z.object({ topic: z.enum(["runs", "run", "savings", "haven", "none"]).default("none"), id: id.optional() }),
} as const;

export function parseQuery<T extends z.ZodType>(request: IncomingMessage, schema: T): z.output<T> {
  const { searchParams } = new URL(request.url ?? "/", "http://viewer.invalid");
  const parsed = schema.safeParse(Object.fromEntries(searchParams));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new HttpError(400, "invalid_query", `${issue?.path.join(".") ?? "query"}: ${issue?.message ?? "invalid"}`);
}
