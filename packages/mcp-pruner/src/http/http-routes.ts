// The tools of this package over HTTP: /mcp and /healthz (D-02, D-03).
import { VERSION } from "@jeeves/base";
import type { Events } from "@jeeves/kit/events";
import { type HttpRoute, jsonAnswer } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createMcpRoute } from "@jeeves/kit/mcp/http";
import manifest from "../../package.json" with { type: "json" };
import { createProfile, type ProfileDeps } from "../profile.ts";
import { createHttpSessions } from "../session.ts";

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The routes `/mcp` (bodies up to 4 MiB) and `GET /healthz`. All sessions share one store, one meter and one engine. */
export function createMcpPrunerRoutes(
  deps: Omit<ProfileDeps, "sessions"> & { readonly events: Events },
): readonly HttpRoute[] {
  const { events, env } = deps;
  const profile = createProfile({ ...deps, sessions: createHttpSessions() });
  const dispatcher = createDispatcher(profile, { events, env, fieldErrors: true });
  const startedAt = new Date();
  const from = performance.now();
  return [
    createMcpRoute(dispatcher, { path: "/mcp", profile, events, maxBodyBytes: MAX_BODY_BYTES }),
    {
      path: "/healthz",
      methods: ["GET"],
      access: "open",
      handle: async () =>
        jsonAnswer(200, {
          ok: true,
          status: "ok",
          server: { name: manifest.name, version: VERSION },
          time: { started_at: startedAt.toISOString(), uptime_ms: Math.round(performance.now() - from) },
        }),
    },
  ];
}
