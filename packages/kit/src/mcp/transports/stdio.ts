// One client on stdin and stdout, and the end of both. stdout has protocol messages only. It ends no process itself:
// it aborts the signals of the calls in flight, and resolves when the process should exit.
import type { Readable, Writable } from "node:stream";
import type { Events } from "../../events/index.ts";
import { reportStateFaults } from "../../process/state-faults.ts";
import { watchForStop } from "../../process/stop.ts";
import { catchStrayErrors } from "../../process/stray-errors.ts";
import type { Profile } from "../call/tool.ts";
import { createDispatcher } from "../dispatch.ts";
import { openLineConnection } from "./line-connection.ts";

/** The streams of a server on stdio, its events and its limits. */
export interface StdioOptions {
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onReady?: () => void;
  readonly onDraining?: () => void;
  /** How long calls in flight may go on after the end of the input. */
  readonly drainMs?: number;
  readonly maxLineBytes?: number;
}

/** How a server on stdio ended. */
export interface StdioEnd {
  /** Every call that was accepted has been answered. */
  readonly graceful: boolean;
  /** From the first sign of the end to its completion. */
  readonly durationMs: number;
}

const DRAIN_MS = 10_000;
// For calls that were aborted to kill their children.
const ABORT_GRACE_MS = 2_000;

/** Serves a profile on stdin and stdout; resolves when the client is gone and all calls have ended. */
export async function serveStdio(profile: Profile, options: StdioOptions): Promise<StdioEnd> {
  const { events, env, input = process.stdin, output = process.stdout, maxLineBytes } = options;
  const watch = watchForStop({ withParent: true });
  const letStrayErrorsThrough = catchStrayErrors(events);
  const stopReporting = reportStateFaults(events);
  const dispatcher = createDispatcher(profile, { events, env });
  const connection = openLineConnection({ input, output, dispatcher, maxLineBytes });
  options.onReady?.();
  try {
    const stopped = Promise.race([connection.cut, watch.stopped]);
    await Promise.race([connection.ended, stopped]);
    const endedAt = performance.now();
    connection.stopReading();
    options.onDraining?.();

    // stopped has priority: a signal during the drain ends it at once.
    await connection.settled({ withinMs: options.drainMs ?? DRAIN_MS, unless: stopped });
    const graceful = connection.pending === 0 && !connection.isOutputBroken;
    if (connection.pending > 0) {
      connection.abort();
      await connection.settled({ withinMs: ABORT_GRACE_MS });
    }
    return { graceful, durationMs: Math.round(performance.now() - endedAt) };
  } finally {
    watch.close();
    stopReporting();
    letStrayErrorsThrough();
    connection.release();
  }
}
