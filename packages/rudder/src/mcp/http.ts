// The tools of a haven as a route of somebody's HTTP server. Requests over HTTP have no connection that lasts, so all of
// them are one bare connection: what they hold, anyone in the haven may release.
import type { Events } from "@jeeves/kit/events";
import type { HttpRoute } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createMcpRoute } from "@jeeves/kit/mcp/http";
import type { Place } from "../haven/locate.ts";
import { createDesk } from "./desk.ts";
import { createProfile } from "./profile.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export function createRudderRoute(
  place: Place,
  host: { readonly path: string; readonly events: Events; readonly env: NodeJS.ProcessEnv },
): HttpRoute {
  const { path, events, env } = host;
  const name = `http-${process.pid}`;
  const profile = createProfile(createDesk({ place, env }), { caller: () => ({ kind: "connection", name }) });
  const dispatcher = createDispatcher(profile, { events, env });
  return createMcpRoute(dispatcher, { path, profile, events, maxBodyBytes: MAX_BODY_BYTES });
}
