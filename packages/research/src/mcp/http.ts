// The tools of this package as a route of an HTTP server.
import type { Events } from "@jeeves/kit/events";
import type { HttpRoute } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createMcpRoute } from "@jeeves/kit/mcp/http";
import type { Researcher } from "../researcher.ts";
import { createProfile } from "./profile.ts";

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * A route at `path` that serves the researcher's tools over MCP. Bodies of more than 1 MiB are refused. The caller closes
 * the researcher.
 */
export function createResearchRoute(
  researcher: Researcher,
  host: { readonly path: string; readonly events: Events; readonly env: NodeJS.ProcessEnv },
): HttpRoute {
  const { path, events, env } = host;
  const profile = createProfile(researcher);
  const dispatcher = createDispatcher(profile, { events, env });
  return createMcpRoute(dispatcher, { path, profile, events, maxBodyBytes: MAX_BODY_BYTES });
}
