// Keeps a sandboxed agent's socket served while the agent lives: a connection to the haven's server tells at once when it
// is gone, and then it is started again, with the agent's socket. The agent cannot do that: it is in a sandbox.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ServerWatch } from "../../agent/agent-context.ts";
import type { Place } from "../../haven/locate.ts";
import { type AgentSocketOptions, serveAgent } from "./haven-server.ts";
import { serverPlaces } from "./server-places.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** Watches from now on; `say` gets a line for each outage, each failed start and each recovery. */
export function keepServing(
  place: Place,
  taskId: string,
  options: Omit<AgentSocketOptions, "signal"> & { say(words: string): void },
): ServerWatch {
  const { say, ...agent } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let outages = 0;

  /** Resolves when the connection, or the attempt to get one, has ended. */
  const gone = async (): Promise<void> => {
    const socket = connect({ path: serverPlaces(place.haven).socket });
    const onStop = (): void => void socket.destroy();
    signal.addEventListener("abort", onStop, { once: true });
    socket.on("error", () => {}).resume();
    await once(socket, "close").catch(() => {});
    signal.removeEventListener("abort", onStop);
  };

  const serve = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        await serveAgent(place, taskId, { ...agent, signal });
        say("the haven's server is back");
        return;
      } catch (error) {
        if (signal.aborted) return;
        say(`the haven's server does not start: ${error instanceof Error ? error.message : String(error)}`);
        await delay(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  };

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await gone();
      if (signal.aborted) return;
      outages += 1;
      say("the haven's server is gone: starting it again");
      await serve();
    }
  };
  const watching = watch();
  return {
    get outages() {
      return outages;
    },
    async stop() {
      stop.abort();
      await watching;
    },
  };
}
