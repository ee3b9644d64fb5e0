// A whole HTTP program: listens, reports it, and stops within five seconds of a signal. It never exits the process.
import { reportStateFaults } from "../process/state-faults.ts";
import { watchForStop } from "../process/stop.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { serveNear } from "./near-port.ts";
import { type HttpServer, type HttpServerOptions, serveHttp } from "./serve-http.ts";

/** How a program that served HTTP ended. */
export interface HttpEnd {
  /** Every request that was accepted has been answered. */
  readonly graceful: boolean;
  readonly durationMs: number;
}

interface HttpProgram extends HttpServerOptions {
  /** Whether to take the next free port where this one is in use. */
  readonly isPortMovable?: boolean;
  /** `moved` names who has the port that was asked for. */
  readonly onReady: (server: HttpServer, moved: string | undefined) => void;
}

/** Rejects with a ListenError where the port cannot be had. */
export async function serveUntilStopped(options: HttpProgram): Promise<HttpEnd> {
  const watch = watchForStop({ withParent: false });
  const letStrayErrorsThrough = catchStrayErrors(options.events);
  const stopReporting = reportStateFaults(options.events);
  try {
    const { server, moved } =
      options.isPortMovable === true
        ? await serveNear(options.port, (port) => serveHttp({ ...options, port }))
        : { server: await serveHttp(options), moved: undefined };
    options.onReady(server, moved);
    await watch.stopped;
    const from = performance.now();
    const { graceful } = await server.stop();
    return { graceful, durationMs: Math.round(performance.now() - from) };
  } finally {
    watch.close();
    stopReporting();
    letStrayErrorsThrough();
  }
}
