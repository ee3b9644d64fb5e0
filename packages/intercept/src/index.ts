// A client's own tool call, and what its model should see instead; and what every cut of ours has in common: the gates,
// the marker guard, the last line, the room that a client leaves.
export { type CutDeps, type CutOutcome, type CutRequest, cutText } from "./cut-text.ts";
export { createRepeatMemory, isDiff, isNoGain, isTooSmall, type RepeatMemory } from "./gates.ts";
export { type RecoveryHint, recoveryLine } from "./recovery-line.ts";
export {
  type ClientLimit,
  fitToClient,
  RESERVED_CHARS,
  type Shown,
  showPruned,
  showWhole,
  type TextToShow,
} from "./shown.ts";
