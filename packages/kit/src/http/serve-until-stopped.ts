// A whole HTTP program: listens, says so, and stops within five seconds of a signal. It never exits the process.
import { watchForStop } from "../process/stop.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { type HttpServer, type HttpServerOptions, serveHttp } from "./serve-http.ts";

export interface HttpEnd {
  /** Every request that was accepted has been answered. */
  readonly graceful: boolean;
  readonly durationMs: number;
}

/** Rejects with a ListenError where the port cannot be had. */
export async function serveUntilStopped(
  options: HttpServerOptions & { readonly onReady: (server: HttpServer) => void },
): Promise<HttpEnd> {
  const watch = watchForStop({ withParent: false });
  const letStrayErrorsThrough = catchStrayErrors(options.events);
  try {
    const server = await serveHttp(options);
    options.onReady(server);
    await watch.stopped;
    const from = performance.now();
    const { graceful } = await server.stop();
    return { graceful, durationMs: Math.round(performance.now() - from) };
  } finally {
    watch.close();
    letStrayErrorsThrough();
  }
}
