// Replays recorded sessions through the product's own entry points: what would have been cut, and what that would have
// saved or cost.
export { createDoors, type Doors, type DoorsOptions } from "./doors.ts";
export { type GivenSession, REPLAYED, type Step } from "./read-session.ts";
export {
  openReplay,
  type Replay,
  type ReplayedCut,
  type ReplayedOutput,
  type ReplayedSession,
  type ShownOutput,
} from "./replay-session.ts";
export { createSameOnce } from "./same-once.ts";
export { type ClientTally, createTally } from "./tally.ts";
