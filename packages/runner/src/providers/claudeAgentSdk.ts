// Claude, through the Claude Agent SDK or through Claude Code's own program; find-agent.ts chooses when a run starts. We
// start the process ourselves, so that we can end its whole group.
import { pathToFileURL } from "node:url";
import { traitsOf } from "@jeeves/base";
import { type AgentProcess, startAgentProcess } from "../process/agent-process.ts";
import { findClaude } from "../process/find-agent.ts";
import type { AgentProvider, ProviderEvent, ProviderRunOptions } from "../provider.ts";
import { messageOf, RunnerError } from "../runner-error.ts";
import { createClaudeReader } from "./claude-messages.ts";
import { type ClaudeSdk, type ClaudeSpawn, toClaudeOptions } from "./claude-options.ts";
import { createClaudeProgram } from "./claude-program.ts";

interface ClaudeProviderOptions {
  readonly loadSdk?: (options: ProviderRunOptions) => Promise<ClaudeSdk>;
}

/** Runs Claude. `loadSdk` replaces the search for an installed SDK or program. */
export function createClaudeProvider({ loadSdk = loadInstalledSdk }: ClaudeProviderOptions = {}): AgentProvider {
  return {
    name: "claude",
    async *run(prompt, options) {
      yield* run(prompt, options, await loadSdk(options));
    },
  };
}

async function* run(prompt: string, options: ProviderRunOptions, sdk: ClaudeSdk): AsyncGenerator<ProviderEvent> {
  const { signal } = options;
  const agents: AgentProcess[] = [];
  const abortController = new AbortController();
  const onAbort = () => abortController.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  const spawnClaudeCodeProcess = ({ command, args, cwd, env }: ClaudeSpawn) => {
    const agent = startAgentProcess(
      { command, args, cwd: cwd ?? options.cwd, env },
      { signal, ...(options.onProcess === undefined ? {} : { onProcess: options.onProcess }) },
    );
    agents.push(agent);
    return agent.child;
  };

  const reader = createClaudeReader(options.hooks);
  let isStarted = false;
  let text = "";
  let end: Extract<ProviderEvent, { kind: "ended" }> | undefined;
  try {
    const call = { ...toClaudeOptions(options), abortController, spawnClaudeCodeProcess };
    for await (const message of sdk.query({ prompt, options: call })) {
      const said = reader.read(message);
      text = said.text ?? text;
      end = said.end ?? end;
      for (const event of said.events) {
        if (!isStarted && event.kind !== "started") yield { kind: "started" };
        if (isStarted && event.kind === "started") continue;
        isStarted = true;
        yield event;
      }
    }
    end ??= { kind: "ended", status: "failed", text, message: "Claude ended without a result" };
  } catch (error) {
    // The SDK also throws after a result that was an error; then the result's own message is kept.
    const tail = agents.at(-1)?.stderrTail().trim() ?? "";
    const message = `${messageOf(error)}${tail === "" ? "" : `: ${tail}`}`;
    end ??= { kind: "ended", status: "failed", text, message };
  } finally {
    signal.removeEventListener("abort", onAbort);
    abortController.abort();
    await Promise.all(agents.map((agent) => agent.end()));
  }
  if (!isStarted) yield { kind: "started" };
  yield signal.aborted ? { kind: "ended", status: "cancelled", text } : end.text === "" ? { ...end, text } : end;
}

async function loadInstalledSdk(options: ProviderRunOptions): Promise<ClaudeSdk> {
  const found = await findClaude(options);
  if (found.kind === "program") return createClaudeProgram(found.path);
  const { path } = found;
  const loaded: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw notUsable(path, messageOf(error));
  });
  if (!isSdk(loaded)) throw notUsable(path, "it has no query()");
  return loaded;
}

function isSdk(value: unknown): value is ClaudeSdk {
  return typeof value === "object" && value !== null && "query" in value && typeof value.query === "function";
}

function notUsable(path: string, why: string): RunnerError {
  return new RunnerError("agent_not_started", `the Claude Agent SDK at ${path} cannot be used: ${why}`, {
    hint: `update it where it is, or install Claude Code itself: ${traitsOf("claude-code").install}`,
  });
}
