// Codex, by `codex exec --json`: one process per run, one JSON event per line. The SDK package is a wrapper around the
// same command and is not needed for it.
import { startAgentProcess, waitForSpawn } from "../process/agent-process.ts";
import { findCodex } from "../process/find-agent.ts";
import { type JsonLine, readJsonLines } from "../process/json-lines.ts";
import type { AgentProvider, ProviderEvent, ProviderRunOptions } from "../provider.ts";
import { toCodexArguments } from "./codex-arguments.ts";
import { createCodexReader } from "./codex-events.ts";
import { createTurnLimit } from "./turn-limit.ts";

const MAX_NOTICES = 20;

/** Runs Codex. Of lines that are no events, the first 20 are reported as notices. */
export function createCodexProvider(): AgentProvider {
  return { name: "codex", run };
}

async function* run(prompt: string, options: ProviderRunOptions): AsyncGenerator<ProviderEvent> {
  const { cwd, env, signal } = options;
  const { command, args } = await findCodex(options);
  const agent = startAgentProcess(
    { command, args: [...args, ...toCodexArguments(options)], cwd, env },
    { signal, ...(options.onProcess === undefined ? {} : { onProcess: options.onProcess }) },
  );
  try {
    await waitForSpawn(agent, command);
    agent.child.stdin.end(prompt);
    const reader = createCodexReader();
    const limit = createTurnLimit(options.maxTurns);
    let text = "";
    let failure: string | undefined;
    let complaint: string | undefined;
    let isStarted = false;
    let isAnswered = false;
    let noticeCount = 0;
    for await (const line of readJsonLines(agent.child.stdout)) {
      if (line.kind !== "value") {
        if (++noticeCount <= MAX_NOTICES) {
          if (!isStarted) yield { kind: "started" };
          isStarted = true;
          yield toNotice(line);
        }
        continue;
      }
      const said = reader.read(line.value);
      if (said.answer !== undefined && !limit.allows(said.answer)) break;
      text = said.finalText ?? text;
      failure = said.failure ?? failure;
      complaint = said.complaint ?? complaint;
      for (const event of said.events) {
        // `started` always comes first, whatever Codex sends first.
        if (!isStarted && event.kind !== "started") yield { kind: "started" };
        if (isStarted && event.kind === "started") continue;
        isStarted = true;
        isAnswered ||= event.kind === "turn_ended" || event.kind === "message";
        yield event;
      }
    }
    if (limit.isReached) await agent.end();
    const { code, signal: killedBy } = await agent.closed;
    if (!isStarted) yield { kind: "started" };
    if (signal.aborted) yield { kind: "ended", status: "cancelled", text };
    else if (limit.isReached) yield { kind: "ended", status: "max_turns", text, message: limit.message };
    else if (failure !== undefined) yield { kind: "ended", status: "failed", text, message: failure };
    else if (code !== 0) {
      const why = complaint ?? agent.stderrTail().trim();
      const message = `codex ended with ${code ?? killedBy}${why === "" ? "" : `: ${why}`}`;
      yield { kind: "ended", status: "failed", text, message };
    } else if (isAnswered) yield { kind: "ended", status: "completed", text };
    else yield { kind: "ended", status: "failed", text, message: complaint ?? "codex ended without an answer" };
  } finally {
    await agent.end();
  }
}

function toNotice(line: Exclude<JsonLine, { kind: "value" }>): ProviderEvent {
  return line.kind === "garbage"
    ? { kind: "notice", code: "garbage_line", message: `not an event: ${line.head}` }
    : {
        kind: "notice",
        code: "event_too_large",
        message: `an event of ${line.bytes} bytes was left out: ${line.head}`,
      };
}
