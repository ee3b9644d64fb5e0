// An agent that follows a script, with real servers and real processes, and no model: for tests, and to try a run without
// cost.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { sizesOf } from "../log/tool-sizes.ts";
import { startAgentProcess } from "../process/agent-process.ts";
import {
  type AgentProvider,
  type ProviderEvent,
  type ProviderRunOptions,
  providerEventSchema,
  toMcpToolName,
} from "../provider.ts";
import { messageOf, RunnerError } from "../runner-error.ts";
import { type StdioServer, startStdioServer } from "./stdio-server.ts";
import { textOf } from "./text-parts.ts";
import { createTurnLimit } from "./turn-limit.ts";

const SERVER_START_MS = 5_000;

const stepSchema = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({
    call: z.strictObject({ server: z.string(), tool: z.string() }),
    with: z.record(z.string(), z.unknown()).default({}),
  }),
  /** Runs a command and waits for it. */
  z.strictObject({ run: z.array(z.string()).min(1) }),
  /** Reports an event, unchanged. */
  z.strictObject({ event: providerEventSchema }),
  z.strictObject({ fail: z.string() }),
  /** Waits until the run is stopped from outside. */
  z.strictObject({ hold: z.literal(true) }),
]);
const scriptSchema = z.strictObject({
  steps: z.array(stepSchema),
  /** How long a server may take to start, in milliseconds. */
  serverStartMs: z.int().positive().default(SERVER_START_MS),
});
/** What the scripted agent does, step by step; `serverStartMs` is 5,000 by default. */
export type Script = z.input<typeof scriptSchema>;

/** Runs a script: `given`, or the file that JEEVES_SCRIPT names in the run's environment. */
export function createScriptedProvider(given?: Script): AgentProvider {
  return {
    name: "scripted",
    async *run(_prompt, options) {
      yield* run(given === undefined ? await loadScript(options.env) : scriptSchema.parse(given), options);
    },
  };
}

async function* run(script: z.output<typeof scriptSchema>, options: ProviderRunOptions): AsyncGenerator<ProviderEvent> {
  const { signal } = options;
  const limit = createTurnLimit(options.maxTurns);
  const servers = new Map<string, StdioServer>();
  let text = "";
  let callCount = 0;
  let failure: string | undefined;
  yield { kind: "started", sessionId: "scripted", model: options.model ?? "script" };
  try {
    for (const [name, server] of Object.entries(options.mcpServers ?? {})) {
      const started = await startStdioServer(server, { ...options, startMs: script.serverStartMs }).catch(messageOf);
      if (typeof started === "string") yield { kind: "server", name, status: "failed", message: started };
      else {
        servers.set(name, started);
        yield { kind: "server", name, status: "connected" };
      }
    }
    for (const [index, step] of script.steps.entries()) {
      if (signal.aborted || failure !== undefined) break;
      const isTool = "call" in step || "run" in step;
      if ((isTool || "say" in step) && !limit.allows({ id: `step_${index}`, isTool })) break;
      if ("say" in step) {
        text = step.say;
        yield { kind: "message", text };
      } else if ("call" in step) {
        const { server, tool } = step.call;
        const base = { id: `call_${++callCount}`, tool: toMcpToolName(server, tool) };
        yield { kind: "tool_call", ...base, input: step.with };
        yield { kind: "tool_result", ...base, ...(await callServer(servers.get(server), tool, step.with)) };
      } else if ("run" in step) {
        const base = { id: `call_${++callCount}`, tool: "run" };
        yield { kind: "tool_call", ...base, input: { command: step.run } };
        yield { kind: "tool_result", ...base, ...(await runCommand(step.run, options)) };
      } else if ("event" in step) yield step.event;
      else if ("fail" in step) failure = step.fail;
      else await aborted(signal);
    }
    if (!signal.aborted) yield { kind: "turn_ended" };
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
  if (signal.aborted) yield { kind: "ended", status: "cancelled", text };
  else if (limit.isReached) yield { kind: "ended", status: "max_turns", text, message: limit.message };
  else if (failure !== undefined) yield { kind: "ended", status: "failed", text, message: failure };
  else yield { kind: "ended", status: "completed", text };
}

async function callServer(server: StdioServer | undefined, tool: string, args: unknown) {
  if (server === undefined) return { isError: true, text: "No such tool available" };
  const { isError, result } = await server.call(tool, args);
  const sizes = sizesOf(result);
  return { isError, text: textOf(result.content), ...(sizes === undefined ? {} : { sizes }) };
}

async function runCommand(
  [command = "", ...args]: readonly string[],
  { cwd, env, signal, onProcess }: ProviderRunOptions,
) {
  const agent = startAgentProcess(
    { command, args, cwd, env },
    { signal, ...(onProcess === undefined ? {} : { onProcess }) },
  );
  let text = "";
  agent.child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text = (text + more).slice(-65_536);
  });
  const { code } = await agent.closed;
  return { isError: code !== 0, text };
}

async function aborted(signal: AbortSignal): Promise<void> {
  // A timer keeps the process alive: a signal alone does not.
  const timer = setInterval(() => {}, 60_000);
  if (!signal.aborted) await once(signal, "abort");
  clearInterval(timer);
}

async function loadScript(env: NodeJS.ProcessEnv): Promise<z.output<typeof scriptSchema>> {
  const file = env.JEEVES_SCRIPT ?? "";
  const hint = 'JEEVES_SCRIPT names a file such as {"steps": [{"say": "Done."}]}';
  if (file === "") throw new RunnerError("script_invalid", "the scripted agent has no script", { hint });
  try {
    return scriptSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new RunnerError("script_invalid", `the script ${file} cannot be used: ${why}`, { hint });
  }
}
