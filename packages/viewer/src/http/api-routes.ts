// The page's API: for each path one parsed query and one source. All routes are GET, save `try`, whose text does not fit
// into an address; it changes nothing either.
import { type HttpAnswer, HttpError, type HttpRoute, jsonAnswer, requireJson } from "@jeeves/kit/http";
import { z } from "zod";
import type { Asked, ViewerData } from "../viewer-data.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { MAX_WINDOW, parseQuery, QUERIES } from "./query.ts";

/** The longest text that `try` accepts; the page refuses longer ones itself. */
export const MAX_TRY_CHARS = 4_000_000;

const tryRequest = z.strictObject({
  text: z.string().max(MAX_TRY_CHARS),
  focus: z.string().max(10_000),
  keep: z.number().min(0).max(1).optional(),
  name: z.string().max(300).optional(),
});

/** The routes below /api. Answers are JSON: 404 where a source has nothing for an id, 400 for an invalid query or body. */
export function createApiRoutes(data: ViewerData): HttpRoute[] {
  const { overview, runs, blocks, savings, haven, pruner } = data;

  function get<T extends z.ZodType>(
    path: string,
    schema: T,
    read: (query: z.output<T>, asked: Asked) => Promise<unknown>,
    gone = "nothing is known by this id",
  ): HttpRoute {
    return {
      path,
      methods: ["GET"],
      access: "owner",
      async handle({ request, signal }) {
        const value = await read(parseQuery(request, schema), { signal });
        if (value === undefined) throw new HttpError(404, "gone", gone);
        return answer(value);
      },
    };
  }

  return [
    get("/api/overview", QUERIES.savings, ({ last }, asked) => overview.read({ lastMs: last }, asked)),
    get("/api/share", QUERIES.cut, ({ id }, asked) => blocks.share(id, asked), "this cut is no longer kept"),
    get("/api/runs", QUERIES.none, (_, asked) => runs.list(asked)),
    get(
      "/api/timeline",
      QUERIES.timeline,
      ({ id, ...window }, asked) => runs.timeline(id, window, asked),
      "this run is no longer there",
    ),
    get(
      "/api/record",
      QUERIES.record,
      ({ id, line }, asked) => runs.record(id, line, asked),
      "this line of the log is no longer there",
    ),
    get("/api/cut", QUERIES.cut, ({ id }, asked) => blocks.cut(id, asked), "this cut is no longer kept"),
    get(
      "/api/lines",
      QUERIES.lines,
      ({ id, from, to }, asked) => blocks.lines(id, { from, to: Math.min(to, from + MAX_WINDOW - 1) }, asked),
      "this cut is no longer kept",
    ),
    get("/api/savings", QUERIES.savings, ({ last }, asked) =>
      savings.read({ sinceMs: last === 0 ? 0 : Math.max(0, Date.now() - last) }, asked),
    ),
    get("/api/haven", QUERIES.none, (_, asked) => haven.view(asked)),
    {
      path: "/api/try",
      methods: ["POST"],
      access: "owner",
      async handle({ request, signal, readBody }) {
        requireJson(request);
        const { keep, name, ...asked } = parseTry(await readBody());
        const cut = await pruner.cut(
          { ...asked, ...(keep === undefined ? {} : { keep }), ...(name === undefined ? {} : { name }) },
          { signal },
        );
        return answer(cut);
      },
    },
  ];
}

function parseTry(bytes: Uint8Array): z.output<typeof tryRequest> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw new HttpError(400, "invalid_body", "the body is not JSON");
  }
  const parsed = tryRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_body", z.prettifyError(parsed.error));
}

function answer(value: unknown): HttpAnswer {
  return jsonAnswer(200, value, PAGE_HEADERS);
}
