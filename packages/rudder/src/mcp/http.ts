// The tools of a haven as a route of a host's HTTP server. A session of MCP is a bare connection, and so is a
// request without one: two clients never hold one task, and what they hold anyone in the haven may release.
import { randomBytes } from "node:crypto";
import type { Events } from "@jeeves/kit/events";
import type { HttpRoute } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createMcpRoute } from "@jeeves/kit/mcp/http";
import type { CommandLine } from "../command-line.ts";
import type { Place } from "../haven/locate.ts";
import { readTtlMs } from "./server/server-config.ts";
import { createProfile } from "./tools/profile.ts";
import { createTaskService } from "./tools/task-service.ts";

const MAX_BODY_BYTES = 1024 * 1024;

/** What an HTTP server gives to the route. */
export interface HttpHost {
  readonly path: string;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly commandLine: CommandLine;
}

/** The route of one haven's tools. */
export function createHavenRoute(place: Place, host: HttpHost): HttpRoute {
  const { path, events, env, commandLine } = host;
  // Leases outlive us: a restarted server's first session is not the first one of the server before.
  const run = randomBytes(4).toString("hex");
  const profile = createProfile(createTaskService({ place, env, ttlMs: readTtlMs(env), commandLine }), {
    caller: ({ sessionId }) => ({ kind: "connection", name: `http ${run}-${sessionId}` }),
  });
  const dispatcher = createDispatcher(profile, { events, env });
  return createMcpRoute(dispatcher, { path, profile, events, maxBodyBytes: MAX_BODY_BYTES });
}
