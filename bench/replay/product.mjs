// What the replay needs of the product, in one bundle.
export { createCutter, createInProcessEngine, estimateTokens, priceCalls, totalOf, worthAfter } from "@jeeves/cut";
export { contextCallsOf, createInterceptor, cutCommandOutput } from "@jeeves/intercept";
export { readClaudeRecord } from "../../packages/intercept/src/claude/transcript.ts";
export { readCodexRecord } from "../../packages/intercept/src/codex/transcript.ts";
export { classOfCommand } from "../../packages/intercept/src/command-class.ts";
export { isHeld } from "../../packages/intercept/src/commands.ts";
export { CLAUDE_MATCHERS, CODEX_MATCHERS } from "../../packages/intercept/src/hook/hook-call.ts";
export { createThreads } from "../../packages/intercept/src/transcript/thread.ts";
export { promptTokensOf } from "../../packages/intercept/src/transcript/transcript-event.ts";
