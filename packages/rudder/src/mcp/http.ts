// The tools of a haven as a route of somebody's HTTP server. A session of MCP is a bare connection, and so is a
// request without one: two clients never hold one task, and what they hold anyone in the haven may release.
import { randomBytes } from "node:crypto";
import type { Events } from "@jeeves/kit/events";
import type { HttpRoute } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createMcpRoute } from "@jeeves/kit/mcp/http";
import type { Place } from "../haven/locate.ts";
import { createDesk } from "./tools/desk.ts";
import { createProfile } from "./tools/profile.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export function createRudderRoute(
  place: Place,
  host: { readonly path: string; readonly events: Events; readonly env: NodeJS.ProcessEnv },
): HttpRoute {
  const { path, events, env } = host;
  // Leases outlive us: a restarted server's first session is not the first one of the server before.
  const run = randomBytes(4).toString("hex");
  const profile = createProfile(createDesk({ place, env }), {
    caller: ({ sessionId }) => ({ kind: "connection", name: `http ${run}-${sessionId}` }),
  });
  const dispatcher = createDispatcher(profile, { events, env });
  return createMcpRoute(dispatcher, { path, profile, events, maxBodyBytes: MAX_BODY_BYTES });
}
