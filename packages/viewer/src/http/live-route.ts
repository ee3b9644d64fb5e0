// Server-sent events: "what you look at has changed", never what it changed to. A page that was away, or that missed a
// hundred changes, asks once and has the newest.
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpRoute } from "@jeeves/kit/http";
import type { Asked, ViewerData } from "../viewer-data.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { parseQuery, QUERIES } from "./query.ts";

const POLL_MS = 400;
/** So that a dead connection is noticed, and no proxy in between thinks that we are. */
const BEAT_EVERY = 25;

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
    // What cannot be read now may be readable in a moment; the page shows what is wrong when it asks.
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
