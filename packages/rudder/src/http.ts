// The tools of a haven as a route of an HTTP server, with the command line behind its `cli` tool.
import type { HttpRoute } from "@jeeves/kit/http";
import { commandLine } from "./cli/command-line.ts";
import type { Place } from "./haven/locate.ts";
import { createHavenRoute, type HttpHost } from "./mcp/http.ts";

/** The route of one haven's tools. */
export function createRudderRoute(place: Place, host: Omit<HttpHost, "commandLine">): HttpRoute {
  return createHavenRoute(place, { ...host, commandLine });
}
