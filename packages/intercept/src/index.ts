// Hooks for a client's own tools: what the model should see instead of a result.
export { type CommandDeps, type CommandOutput, cutCommandOutput } from "./command-output.ts";
export { readRecord } from "./focus/read-record.ts";
export type { SessionFacts } from "./focus/session-facts.ts";
export { toGeminiOutput } from "./gemini/answer.ts";
export { GEMINI_FOLDER } from "./gemini/project-files.ts";
export { type HookAnswer, toHookOutput } from "./hook/hook-answer.ts";
export {
  CLAUDE_MATCHERS,
  CODEX_MATCHERS,
  HOOK_TOOL,
  type HookCall,
  type HookCallOptions,
  toHookCall,
} from "./hook/hook-call.ts";
export { type HookMoment, parseToolEvent, type ToolEvent } from "./hook/tool-event.ts";
export { createInterceptor, type InterceptCall, type Interceptor, type InterceptorDeps } from "./interceptor.ts";
export { readTranscript, type Transcript } from "./read-transcript.ts";
export { judgeStored } from "./stored/stored-access.ts";
export { contextCallsOf } from "./transcript/context-calls.ts";
export type { Filling, ModelCall, Thread, ToolResult } from "./transcript/thread.ts";
export {
  promptTokensOf,
  type TranscriptEvent,
  type TranscriptRecord,
  type Usage,
} from "./transcript/transcript-event.ts";
