// The pruner's life in one run (J-69 … J-72, J-78 … J-81): it takes the server's records and the agent's events, moves from
// state to state, and emits an event for each change. Nothing here ever fails a run.
import { setTimeout as delay } from "node:timers/promises";
import type { EventRecord, Level } from "@jeeves/kit/events";
import type { McpConfig } from "../mcpConfig.ts";
import type { ProviderEvent } from "../provider.ts";
import { createRunPath, type RunState } from "./run-states.ts";
import { EXITED, type ServerExit, toServerExit } from "./server-exit.ts";

/** The pruner's name in an agent's MCP settings. */
export const PRUNER = "pruner";
const READY_WITHIN_MS = 10_000;
const DEATH_WITHIN_MS = 500;
const POLL_MS = 20;

const CLOSED = /connection closed|transport closed|not connected|disconnected|broken pipe|EPIPE|-32000\b/i;
const SILENT = /timed? ?out|-32001\b/i;

interface PrunerLifeDeps {
  emit(level: Level, event: string, data?: object): void;
  onState(state: RunState): void;
  /** Resolves when all that the server wrote so far has been passed to `onServerRecord`. */
  catchUp(): Promise<void>;
  /** The server's process; called when the server reports that it is ready. Undefined where processes cannot be listed. */
  findServer(): { isAlive(): boolean } | undefined;
  /** Ends what is left of the server; resolves with the number of processes. */
  endServer(): Promise<number>;
  /** Ends a server that was not ready in time: its agent waits for it, some for half a minute. */
  dropServer?(): void;
  readonly readyWithinMs?: number;
  /** True while the run is stopped: its servers end with it, which is not a failure. */
  readonly isStopping?: () => boolean;
}

/** Follows the pruner through one run: the runner calls it with records and events, and reads the state. */
export interface PrunerLife {
  readonly state: RunState;
  readonly states: readonly RunState[];
  begin(config: McpConfig): void;
  onServerRecord(record: EventRecord): void;
  onProviderEvent(event: ProviderEvent): Promise<void>;
  /** Checks whether the server still runs; called at intervals. */
  tick(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * In the state `run:init` until `begin` is called. A server that is not ready after 10 seconds (`readyWithinMs`), or by the
 * end of the first turn, counts as failed to start.
 */
export function createPrunerLife(deps: PrunerLifeDeps): PrunerLife {
  const { emit, readyWithinMs = READY_WITHIN_MS } = deps;
  const path = createRunPath();
  let readyTimer: NodeJS.Timeout | undefined;
  let server: { isAlive(): boolean } | undefined;
  /** After its turn an agent stops its servers, so their end is no failure any more. */
  let isTurnOver = false;
  let hasGivenUp = false;
  /** How the first server ended; the state describes that one, not one that the agent started later. */
  let exit: ServerExit | undefined;

  const advance = (to: RunState) => {
    if (path.state === "run:mcp_pruner_starting") clearTimeout(readyTimer);
    path.advance(to);
    deps.onState(to);
  };
  const disable = (reason: "config_disabled" | "config_invalid" | "start_failed") => {
    emit(reason === "config_disabled" ? "info" : "warn", "mcp_pruner.disabled", { reason });
    advance("run:mcp_pruner_disabled");
  };
  const startFailed = (message: string) => {
    if (path.state !== "run:mcp_pruner_starting") return;
    emit("warn", "mcp_pruner.start_failed", { message });
    disable("start_failed");
  };
  const giveUpStarting = async () => {
    await deps.catchUp();
    if (path.state !== "run:mcp_pruner_starting") return;
    startFailed(`not ready within ${readyWithinMs / 1000} s`);
    hasGivenUp = true;
    deps.dropServer?.();
  };
  const degrade = (reason: "exited" | "unreachable") => {
    if (path.state !== "run:mcp_pruner_running" || deps.isStopping?.() === true) return;
    emit("warn", "mcp_pruner.degraded", { reason, ...(reason === "exited" ? exit : {}) });
    advance("run:mcp_pruner_degraded");
  };
  /** The shell around the server logs the exit code before it ends itself, so the log is read first. */
  const degradeByExit = async () => {
    await deps.catchUp();
    degrade("exited");
  };
  const isServerGone = async () => {
    const deadline = performance.now() + DEATH_WITHIN_MS;
    while (server?.isAlive() === true) {
      if (performance.now() > deadline) return false;
      await delay(POLL_MS);
    }
    return true;
  };

  async function onServerReport(event: Extract<ProviderEvent, { kind: "server" }>): Promise<void> {
    if (event.status === "connected") return; // only the server's own `mcp_pruner.ready` counts
    await deps.catchUp();
    const message = event.message ?? "the agent could not start the server, or not connect to it";
    if (path.state === "run:mcp_pruner_starting") {
      emit("warn", "mcp_pruner.spawn_error", { message });
      startFailed(message);
    } else if (await isServerGone()) await degradeByExit();
    else degrade("unreachable");
  }

  async function onFailedCall({ text, sizes }: Extract<ProviderEvent, { kind: "tool_result" }>): Promise<void> {
    if (sizes !== undefined) return; // an error that the server itself reported
    const isClosed = CLOSED.test(text);
    if (!isClosed && !SILENT.test(text)) return;
    await deps.catchUp();
    if (isClosed && (await isServerGone())) await degradeByExit();
    else degrade("unreachable");
  }

  return {
    get state() {
      return path.state;
    },
    get states() {
      return path.states;
    },
    begin(config) {
      if (config.kind === "disabled") return disable("config_disabled");
      if (config.kind === "invalid") {
        emit("warn", "mcp_pruner.config_invalid", config.issue);
        return disable("config_invalid");
      }
      advance("run:mcp_pruner_starting");
      readyTimer = setTimeout(() => void giveUpStarting(), readyWithinMs);
    },
    onServerRecord(record) {
      const { event } = record;
      if (event === EXITED) exit ??= toServerExit(record);
      if (path.state !== "run:mcp_pruner_starting") return;
      if (event === "mcp_pruner.ready") {
        server = deps.findServer();
        advance("run:mcp_pruner_running");
      } else if (event === "mcp_pruner.start_failed") disable("start_failed");
    },
    async onProviderEvent(event) {
      if (event.kind === "server" && event.name === PRUNER) await onServerReport(event);
      else if (event.kind === "tool_result" && event.isError && event.tool.startsWith(`mcp:${PRUNER}/`)) {
        await onFailedCall(event);
      } else if (event.kind === "turn_ended") {
        isTurnOver = true;
        await deps.catchUp();
        startFailed("not ready by the end of the first turn");
      }
    },
    async tick() {
      if (hasGivenUp && !isTurnOver) deps.dropServer?.(); // the server may not have been started yet at the last call
      if (!isTurnOver && server?.isAlive() === false) await degradeByExit();
    },
    async shutdown() {
      await deps.catchUp();
      startFailed("not ready by the end of the run");
      if (path.state === "run:mcp_pruner_disabled") emit("info", "mcp_pruner.not_running");
      if (path.state === "run:mcp_pruner_degraded") {
        const terminated = await deps.endServer();
        emit("info", "mcp_pruner.shutdown_after_degraded", { terminated });
      }
      if (path.state !== "run:shutdown") advance("run:shutdown");
    },
  };
}
