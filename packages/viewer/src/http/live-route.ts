// Server-sent events that report a change without its content: a page that missed a hundred changes makes one request for
// the present state.
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpRoute } from "@jeeves/kit/http";
import type { Asked, ViewerData } from "../viewer-data.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { parseQuery, QUERIES } from "./query.ts";

const POLL_MS = 400;
/** A comment is sent every so many polls (10 s), so that a dead connection is noticed and proxies keep a live one open. */
const BEAT_EVERY = 25;

/**
 * GET /api/live: sends `change` when the topic's stamp differs from the last one, checked every 400 ms. The first event
 * comes at once. `close` ends all streams.
 */
export function createLiveRoute(data: ViewerData): HttpRoute {
  const open = new Set<AbortController>();
  return {
    path: "/api/live",
    methods: ["GET"],
    access: "owner",
    async handle({ request, response, signal }) {
      const { topic, id } = parseQuery(request, QUERIES.live);
      const stop = new AbortController();
      open.add(stop);
      const until = AbortSignal.any([signal, stop.signal]);
      response.writeHead(200, {
        ...PAGE_HEADERS,
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      response.flushHeaders();
      try {
        await follow(response, { signal: until, stampOf: (asked) => stampOf(data, topic, id, asked) });
      } finally {
        open.delete(stop);
        response.end();
      }
      return undefined;
    },
    async close() {
      for (const stop of open) stop.abort();
    },
  };
}

async function follow(
  response: ServerResponse,
  { signal, stampOf }: { readonly signal: AbortSignal; readonly stampOf: (asked: Asked) => Promise<string> },
): Promise<void> {
  let last: string | undefined;
  for (let beat = 0; !signal.aborted; beat++) {
    // A read error may be gone at the next poll; the page shows the error when it makes its request.
    const stamp = await stampOf({ signal }).catch(() => "unreadable");
    if (signal.aborted) return;
    if (stamp !== last) response.write(`event: change\ndata: ${JSON.stringify({ first: last === undefined })}\n\n`);
    else if (beat % BEAT_EVERY === 0) response.write(": still here\n\n");
    last = stamp;
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

async function stampOf(data: ViewerData, topic: string, id: string | undefined, asked: Asked): Promise<string> {
  switch (topic) {
    case "runs":
      return data.runs.stamp(undefined, asked);
    case "run":
      return data.runs.stamp(id ?? "", asked);
    case "savings":
      return data.savings.stamp(asked);
    case "haven":
      return data.haven.stamp(asked);
    default:
      return "";
  }
}
