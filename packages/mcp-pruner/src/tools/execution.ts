// The events and request states around the work of one tool (J-74, J-79), and the shape of every tool error.
import type { ToolCall, ToolOutcome } from "@jeeves/kit/mcp";
import type { Answerer } from "../answer/answer.ts";
import type { ToolName } from "../config.ts";

/** Why a tool failed. `timeoutMs` is set where it ran out of time. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  /** What to try next; only the model reads it. */
  readonly hint?: string;
  readonly exit_code?: number;
  readonly timeoutMs?: number;
}

/** Emits `tool.exec_start`, and gives what reports the end; call `succeeded` or `failed` once. */
export function startExecution(tool: ToolName, call: ToolCall) {
  const started = performance.now();
  call.events.emit("info", "tool.exec_start", { tool });
  const durationMs = () => Math.round(performance.now() - started);
  return {
    durationMs,
    succeeded(bytes: number, more: { readonly prune_id?: string } = {}): void {
      call.advance("req:raw_output_ready");
      call.events.emit("info", "tool.exec_ok", { tool, duration_ms: durationMs(), bytes, ...more });
    },
    failed(failure: ToolFailure): void {
      if (failure.timeoutMs !== undefined) {
        call.events.emit("warn", "tool.exec_timeout", { tool, timeout_ms: failure.timeoutMs });
      }
      call.advance("req:tool_error");
      const { code, message, exit_code } = failure;
      const exit = exit_code === undefined ? {} : { exit_code };
      call.events.emit("warn", "tool.exec_failed", { tool, code, message, ...exit, duration_ms: durationMs() });
    },
  };
}

/** The result of a tool that failed without output: message and hint, and the `pruning` that X-08 asks for. */
export function toFailureOutcome(
  tool: "read" | "bash" | "grep",
  failure: ToolFailure,
  question: string | undefined,
  answerer: Answerer,
): ToolOutcome {
  const { code, message, hint, exit_code } = failure;
  return {
    text: hint === undefined || hint === "" ? message : `${message}\n${hint}`,
    structured: {
      tool,
      error: { code, message, ...(exit_code === undefined ? {} : { exit_code }) },
      pruning: answerer.withoutOutput(question),
    },
    isError: true,
  };
}
