// The page's server: its files, its API and its stream, on a port of its own. It opens no path that a browser sends, and
// writes nothing.
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { findBeside } from "@jeeves/base";
import type { Events } from "@jeeves/kit/events";
import { isLoopbackHost, serveHttp, serveNear } from "@jeeves/kit/http";
import { createApiRoutes, MAX_TRY_CHARS } from "./http/api-routes.ts";
import { createLiveRoute } from "./http/live-route.ts";
import { createPageRoutes } from "./http/page-routes.ts";
import type { ViewerData } from "./viewer-data.ts";

/** The port of the page where none is asked for. */
export const DEFAULT_VIEWER_PORT = 8008;
const TOKEN_BYTES = 32;

/** What a viewer shows and where it listens. */
export interface ViewerOptions {
  readonly data: ViewerData;
  readonly events: Events;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 8008; where it is taken, the next free one. 0: the system's choice. */
  readonly port?: number;
  /** Needed for everything but the page's own files. Default: a random one for this viewer. */
  readonly token?: string | undefined;
  /** The user's token, which is accepted as well on loopback. */
  readonly userToken?: string | undefined;
  /** Ends the viewer, like `close`. */
  readonly signal?: AbortSignal;
  /** The built page; default: the one that comes with this package. */
  readonly pageDir?: string;
}

/** A server of the page that listens. */
export interface Viewer {
  /** The address to open, with the token in its fragment. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Why it is not on the port that was asked for. */
  readonly moved?: string;
  close(): Promise<void>;
}

/** Starts the page's server. Rejects where it cannot listen or the page is not built. */
export async function startViewer(options: ViewerOptions): Promise<Viewer> {
  const { data, events, signal, host = "127.0.0.1", port = DEFAULT_VIEWER_PORT } = options;
  signal?.throwIfAborted();
  // Not the user's token: an open tab goes on sending requests after we have stopped, and the next process on this port, which
  // may be another user's, would receive it.
  const token = options.token ?? randomBytes(TOKEN_BYTES).toString("base64url");
  const trustsLocalUser = options.token === undefined && isLoopbackHost(host);
  const userTokens = trustsLocalUser && options.userToken !== undefined ? [options.userToken] : [];
  const routes = [
    ...(await createPageRoutes(options.pageDir ?? builtPageDir())),
    ...createApiRoutes(data),
    createLiveRoute(data),
  ];
  // A character may be six bytes in JSON. With this limit, a text that is too long is refused by the schema, which names it.
  const limits = { maxBodyBytes: MAX_TRY_CHARS * 6 + 100_000, maxConcurrent: 8, drainMs: 500 };
  const access = {
    ownerTokens: [token, ...userTokens],
    tokenHint: "the address that was printed ends in it",
    trustsUid: trustsLocalUser,
    ownOriginOnly: true,
  };
  const { server, moved } = await serveNear(port, (at) =>
    serveHttp({ host, port: at, routes, events, limits, ...access }),
  );
  let stopping: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    signal?.removeEventListener("abort", onAbort);
    stopping ??= server.stop();
    await stopping;
  };
  const onAbort = () => void close();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) await close();
  return {
    url: `${server.url}/#token=${encodeURIComponent(token)}`,
    host,
    port: server.port,
    ...(moved === undefined ? {} : { moved }),
    close,
  };
}

/** The page that the build made of `src/page`: in this package's dist, wherever this code was bundled to. */
function builtPageDir(): string {
  const index = findBeside("viewer/dist/page/index.html", import.meta.url);
  if (index === undefined) throw new Error("the page is not built: node scripts/build-viewer.mjs builds it");
  return dirname(index);
}
