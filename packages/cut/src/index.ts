// The pipeline that every door calls, and the recovery of what it cut.
export { type Cutter, type CutterDeps, createCutter } from "./cut.ts";
export { type CharRun, type CutRecord, type LineRun, lineAsShown, parseCutRecord, toCutRecord } from "./cut-record.ts";
export type { Caller, CutRequest, CutResult, EarlierRuns, ShownCut, WholeReason, WholeText } from "./cut-request.ts";
export { type Engine, type EngineFailure, type EngineRequest, withMaxChars } from "./engine/engine.ts";
export { createEnginePool } from "./engine/engine-pool.ts";
export { createInProcessEngine, loadAllGrammars } from "./engine/in-process.ts";
export { faultOfRanges, type LineRange, type RangeFault } from "./line-ranges.ts";
export {
  type BillParts,
  type CallUsage,
  type ContextCall,
  type PricedCall,
  prefixWorth,
  priceCalls,
  totalOf,
  worthAfter,
} from "./meter/bill.ts";
export { followMeter, type MeterFollower } from "./meter/follow-meter.ts";
export {
  createMeter,
  type Meter,
  type MeterEntry,
  type MeterKind,
  meterBases,
  meterFiles,
  readMeter,
} from "./meter/meter.ts";
export { toMeterInput } from "./meter/meter-input.ts";
export { type HookOwner, hookOwnerOf, MODES, type Mode, readMode, writeMode } from "./meter/mode.ts";
export { type Rates, ratesOf, recoveryCost, TOKEN_WORTH } from "./meter/rates.ts";
export { type Arm, armIn, armOf, readTrial, type Trial, writeTrial } from "./meter/trial.ts";
export { outlineFor } from "./policy/outline-for.ts";
export { constantPolicy, orderPolicy, type Policy } from "./policy/policy.ts";
export { policyFor, policyLevelOf } from "./policy/priced.ts";
export { NO_REPEATS, type Repeats, repeatsInMeter } from "./policy/repeats.ts";
export { OUTPUT_CLASSES, type OutputClass, type Situation } from "./policy/situation.ts";
export { type RecoverDeps, type Recovered, type RecoverRequest, recover, type StoredAccess } from "./recover.ts";
export { asksForAll } from "./search/asks-for-all.ts";
export { readSearch, type Search, type SearchCall, toSearch } from "./search/read-search.ts";
export { parseSearchCommand, type SearchCommand } from "./search/search-command.ts";
export { type ShellCommand, splitPipelines } from "./search/shell-words.ts";
export { clientView } from "./show/client-view.ts";
export {
  hasRecoveryLine,
  type RecoveredBy,
  recoveredByOf,
  recoveryLine,
  recoveryLinesIn,
} from "./show/recovery-line.ts";
export { withLastLine } from "./show/shown.ts";
export { countLines, estimateTokens, lineAt, type MatchLine, parseMatchLines, splitLines, WHY } from "./text.ts";
