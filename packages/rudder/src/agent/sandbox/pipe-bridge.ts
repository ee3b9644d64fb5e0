// where the sandbox refuses sockets, the agent talks through two named pipes that its sandbox lets it open; a
// bridge outside has them as its stdin and stdout. An agent may connect more than once: whenever a bridge ends, the
// next one takes its place.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { withAbsolutePath } from "@jeeves/base";
import type { AgentLayout } from "../agent-layout.ts";

/** `sh` opens the pipes, which waits for the other side; the words after it are data to it. */
const INSIDE = 'cat <"$1" & exec cat >"$0"';
const OUTSIDE = 'exec "$0" "$1" "$2" <"$3" >"$4"';
const PAUSE_MS = 200;

/** The MCP configuration of an agent that talks through its pipes. */
export function pipeConfig(layout: AgentLayout) {
  return { mcpServers: { rudder: { command: "sh", args: ["-c", INSIDE, layout.pipeIn, layout.pipeOut] } } };
}

/** Makes both pipes (0600) in the place of earlier ones. */
export async function makePipes(layout: AgentLayout): Promise<void> {
  for (const path of [layout.pipeIn, layout.pipeOut]) {
    rmSync(path, { force: true });
    await promisify(execFile)("mkfifo", ["-m", "600", path], { env: withAbsolutePath(process.env) });
  }
}

interface PipeBridge {
  stop(): Promise<void>;
}

/** Runs one bridge after the other until it is stopped; then the pipes are removed. */
export function startPipeBridge(
  layout: AgentLayout,
  options: { readonly bridge: string; readonly env: NodeJS.ProcessEnv },
): PipeBridge {
  const stop = new AbortController();
  const words = [process.execPath, options.bridge, layout.socket, layout.pipeIn, layout.pipeOut];
  const serve = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      // A group of its own: `sh` waits for a pipe with no child yet, the bridge runs in its place afterwards.
      const child = spawn("sh", ["-c", OUTSIDE, ...words], {
        env: withAbsolutePath(options.env),
        detached: true,
        stdio: "ignore",
      });
      const onStop = (): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        } catch {
          // Gone already.
        }
      };
      stop.signal.addEventListener("abort", onStop, { once: true });
      if (stop.signal.aborted) onStop();
      await once(child, "close").catch(() => {});
      stop.signal.removeEventListener("abort", onStop);
      await delay(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const serving = serve();
  return {
    async stop() {
      stop.abort();
      await serving;
      for (const path of [layout.pipeIn, layout.pipeOut]) rmSync(path, { force: true });
    },
  };
}
