// A client's own tool call, and what its model should see instead; and what every cut of ours has in common: the gates,
// the marker guard, the last line, the room that a client leaves.

export { type CommandCut, type CommandOutput, cutCommandOutput } from "./command-output.ts";
export { type CutRecord, toCutRecord } from "./cut-record.ts";
export { type CutDeps, type CutOutcome, type CutRequest, cutText } from "./cut-text.ts";
export { followMeter, type MeterFollower } from "./follow-meter.ts";
export { createRepeatMemory, isDiff, isTooSmall, type RepeatMemory } from "./gates.ts";
export { type HookAnswer, toHookOutput } from "./hook-answer.ts";
export {
  CLAUDE_MATCHERS,
  CODEX_MATCHERS,
  HOOK_TOOL,
  type HookCall,
  type HookCallOptions,
  toHookCall,
} from "./hook-call.ts";
export { createInterceptor, type InterceptCall, type Interceptor, type InterceptorDeps } from "./interceptor.ts";
export { createMeter, type Meter, type MeterEntry, type MeterKind, meterFiles, readMeter } from "./meter.ts";
export { type HookOwner, hookOwnerOf, MODES, type Mode, readMode, writeMode } from "./mode.ts";
export { costOfRecovery, costOfToken, DEFAULT_PRICES, type PriceList } from "./price-list.ts";
export { type RecoveryHint, recoveryLine } from "./recovery-line.ts";
export { asksForAll } from "./search/asks-for-all.ts";
export { cutMatches, type MatchCut, selectInOrder, withList } from "./search/cut-matches.ts";
export { readSearch, type Search } from "./search/read-search.ts";
export { parseSearchCommand } from "./search/search-command.ts";
export {
  type ClientLimit,
  FAILURE_SHARE,
  fitToClient,
  RESERVED_CHARS,
  type Shown,
  showPruned,
  showWhole,
  type TextToShow,
} from "./shown.ts";
export { judgeStored } from "./stored-access.ts";
export { type HookMoment, parseToolEvent, type ToolEvent } from "./tool-event.ts";
export { generosityOf, hasStopped, STOPPED_LINE, type Trust, trustOf } from "./trust.ts";
