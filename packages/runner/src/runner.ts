// One agent run: the servers wired in, the agent driven to its end, everything written down as it happens, nothing left
// running. Throws a RunnerError only where the request itself cannot be carried out.
import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { EventRecord, Level } from "@jeeves/kit/events";
import { onStateFault, outlivingMark } from "@jeeves/state";
import { drainProvider, type ProviderEnd } from "./drain-provider.ts";
import { toAgentRecord } from "./log/agent-record.ts";
import { followCuts } from "./log/follow-cuts.ts";
import { followLog } from "./log/follow-log.ts";
import { type RunStatus, toFigures, toRunFile, toStatus } from "./log/run-file.ts";
import { openRunLog } from "./log/run-log.ts";
import { addToSummary, EMPTY_SUMMARY, type RunSummary } from "./log/run-summary.ts";
import { openSharedLog } from "./log/shared-log.ts";
import { buildMcpConfig } from "./mcpConfig.ts";
import { type Launcher, launcherEnv } from "./process/launcher.ts";
import { createRunProcesses, isAlive, signalProcess } from "./process/processes-of-run.ts";
import { createStop } from "./process/stop-run.ts";
import type { AgentProvider, McpServerConfig } from "./provider.ts";
import { messageOf, RunnerError } from "./runner-error.ts";
import { buildExtraServers } from "./wiring/extra-servers.ts";
import { createPrunerLife, PRUNER, type PrunerLife } from "./wiring/pruner-life.ts";
import { toAgentEnv, withRunEnv } from "./wiring/run-env.ts";
import { createRunHooks, type HookParts } from "./wiring/run-hooks.ts";
import type { RunState } from "./wiring/run-states.ts";
import { withExitReport } from "./wiring/server-exit.ts";

const TICK_MS = 1_000;
/** Servers end with their agent, and log it; this is how long they may take. */
const GRACE_MS = 2_000;

/** What to run: the agent, its task, its directory and its limits. */
export interface RunRequest {
  readonly provider: AgentProvider;
  readonly prompt: string;
  readonly cwd: string;
  /** The agent's environment, and what decides about servers (J-91). */
  readonly env: NodeJS.ProcessEnv;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Also cuts the results of the agent's own tools; needs the pruner. `false` silences the user's own Jeeves hooks, too. */
  readonly hooks?: HookParts | false;
  /** Every record of the log as it is written: ours, the agent's and the servers'. */
  readonly onRecord?: (record: EventRecord) => void;
  /** Beside the servers that the environment asks for. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** a file that names how these are started; an agent that reads such files is launched with it, and no others. */
  readonly mcpConfigFile?: string;
  /** What stands in front of the agent: a sandbox. */
  readonly launcher?: Launcher;
  /** For callers that must know the run's place before it starts. */
  readonly id?: string;
  readonly readyWithinMs?: number;
}

/** How a run ended, and where its log is. */
export interface RunOutcome extends RunSummary {
  readonly id: string;
  readonly dir: string | undefined;
  readonly status: RunStatus;
  readonly text: string;
  readonly message?: string;
  readonly error?: RunnerError;
  readonly prunerStates: readonly RunState[];
  readonly durationMs: number;
  /** Records that could not be written. */
  readonly eventsLost: number;
}

/** Runs an agent to its end. Rejects with a RunnerError only where it cannot start. */
export async function runAgent(request: RunRequest): Promise<RunOutcome> {
  const cwd = await checkCwd(request.cwd);
  const { provider, prompt, env } = request;
  const shared = openSharedLog(env);
  const onRecord = (record: EventRecord) => {
    shared.append(record);
    request.onRecord?.(record);
  };
  const log = await openRunLog({ env, ...(request.id === undefined ? {} : { id: request.id }) });
  const emit = (level: Level, event: string, data?: object) => onRecord(log.append(level, event, data));
  const startedAt = new Date();
  const startedMs = performance.now();
  /** One clock may be set back, the other stands still while the machine sleeps. */
  const elapsedMs = () => Math.round(Math.max(Date.now() - startedAt.getTime(), performance.now() - startedMs));

  const config = buildMcpConfig({ env, cwd });
  const extra = buildExtraServers({ env, cwd });
  const own = config.kind === "enabled" ? config.mcpServers : {};
  const mcpServers = withRunEnv(
    { ...own, ...extra.mcpServers, ...request.mcpServers },
    { env, id: log.id, eventsFile: log.eventsFile },
  );
  const started = withReports(mcpServers);
  const agentEnv = toAgentEnv(env, { id: log.id, areHooksOff: request.hooks === false });
  const processes = createRunProcesses({
    environment: [
      `JEEVES_RUN_ID=${log.id}`,
      ...(log.eventsFile === undefined ? [] : [`JEEVES_EVENT_LOG=${log.eventsFile}`]),
    ],
    outliving: outlivingMark(log.id),
  });
  const entry = mcpServers?.[PRUNER]?.args?.[0];
  const serverProcesses = () => processes.look().filter(({ argv }) => entry !== undefined && argv.includes(entry));

  const cuts = await followCuts(agentEnv, {
    runId: log.id,
    onEntry: ({ kind, run_id: _run, ...told }) => emit("info", `meter.${kind}`, told),
  });
  let summary: RunSummary = EMPTY_SUMMARY;
  let end: ProviderEnd | undefined;
  const saveRun = () =>
    log.save(
      toRunFile({
        request: { ...request, cwd },
        log,
        startedAt,
        elapsedMs: elapsedMs(),
        pruner: life,
        summary: { ...summary, cuts: cuts.cuts },
        end,
        timedOut: stop.timedOut,
      }),
    );
  const follower =
    log.eventsFile === undefined || mcpServers === undefined
      ? undefined
      : followLog(log.eventsFile, {
          runId: log.id,
          onRecord: (record) => {
            onRecord(record);
            life.onServerRecord(record);
          },
        });
  const life: PrunerLife = createPrunerLife({
    emit,
    onState(state) {
      emit("info", "run.state", { state });
      saveRun();
    },
    catchUp: async () => follower?.catchUp(),
    findServer() {
      // A server descends from its agent. Where the agent can be seen and the server cannot, it is gone already.
      if (!processes.isVisible) return undefined;
      const found = serverProcesses();
      return { isAlive: () => found.some(isAlive) };
    },
    endServer: () => processes.end({ graceMs: 0 }),
    dropServer() {
      for (const { pid } of serverProcesses()) signalProcess(pid, "SIGKILL");
    },
    isStopping: () => stop.signal.aborted,
    ...(request.readyWithinMs === undefined ? {} : { readyWithinMs: request.readyWithinMs }),
  });

  const hooks =
    !request.hooks || config.kind !== "enabled"
      ? undefined
      : createRunHooks({
          ...request.hooks,
          env: agentEnv,
          root: cwd,
          emit,
          async isServerThere() {
            // The whole log is read: not at every call of a run that is hours long.
            if (life.state === "run:mcp_pruner_starting") await follower?.catchUp();
            return life.state === "run:mcp_pruner_running";
          },
        });

  // Processes are listed before the agent ends: afterwards its descendants cannot be found.
  const stop = createStop(request, { onStop: () => void processes.look() });
  const ticker = setInterval(() => {
    processes.look();
    void life.tick();
    void cuts.catchUp();
  }, TICK_MS);

  const stopReporting = onStateFault((fault) => emit("warn", "state.fault", fault));

  try {
    const areHooksOn = hooks !== undefined;
    emit("info", "run.started", { provider: provider.name, cwd, model: request.model, prompt, hooks: areHooksOn });
    for (const issue of extra.issues) emit("warn", "mcp.config_invalid", issue);
    life.begin(config);
    saveRun();
    end = await drainProvider(provider, {
      prompt,
      options: {
        cwd,
        env: { ...agentEnv, ...launcherEnv(request.launcher) },
        signal: stop.signal,
        onProcess: processes.addRoot,
        ...(request.launcher === undefined ? {} : { isSandboxed: true as const }),
        ...(request.model === undefined ? {} : { model: request.model }),
        ...(request.maxTurns === undefined ? {} : { maxTurns: request.maxTurns }),
        ...(started === undefined ? {} : { mcpServers: started }),
        ...(request.mcpConfigFile === undefined
          ? {}
          : { mcpConfigFile: { path: request.mcpConfigFile, servers: Object.keys(request.mcpServers ?? {}) } }),
        ...(hooks === undefined ? {} : { hooks }),
      },
      async onEvent(event) {
        summary = addToSummary(summary, event);
        const record = toAgentRecord(event);
        emit(record.level, record.event, record.data);
        await log.room(); // an agent that sends much is slowed down; no event is dropped
        await life.onProviderEvent(event);
      },
    });
  } finally {
    stop.clear();
    stopReporting();
    clearInterval(ticker);
    await life.shutdown();
    await processes.end({ graceMs: stop.signal.aborted ? 0 : GRACE_MS });
    await follower?.stop();
    await cuts.catchUp();
  }
  summary = { ...summary, cuts: cuts.cuts };
  const status = toStatus(end, stop.timedOut);
  const durationMs = elapsedMs();
  emit("info", "run.ended", { status, message: end.message, duration_ms: durationMs, ...toFigures(summary) });
  await log.flush();
  saveRun();
  await Promise.all([log.close(), shared.close()]);
  return {
    ...summary,
    id: log.id,
    dir: log.dir,
    status,
    text: end.text,
    ...(end.message === undefined ? {} : { message: end.message }),
    ...(end.error === undefined ? {} : { error: end.error }),
    prunerStates: life.states,
    durationMs,
    eventsLost: log.lostCount,
  };
}

function withReports(servers: RunRequest["mcpServers"]): RunRequest["mcpServers"] {
  const pruner = servers?.[PRUNER];
  return pruner === undefined ? servers : { ...servers, [PRUNER]: withExitReport(pruner) };
}

async function checkCwd(given: string): Promise<string> {
  const cwd = resolve(given);
  const hint = "--cwd names a directory that you can read";
  try {
    if (!(await stat(cwd)).isDirectory()) throw new RunnerError("cwd_unusable", `${cwd} is not a directory`, { hint });
    await access(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof RunnerError) throw error;
    const isMissing = ["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "");
    const words = isMissing ? `${cwd} does not exist` : `${cwd} cannot be worked in: ${messageOf(error)}`;
    throw new RunnerError("cwd_unusable", words, { hint });
  }
  return cwd;
}
