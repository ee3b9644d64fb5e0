// The entry of the package: commands as functions, the store behind them, and the rules.
export { listAgents, type SeenAgent } from "./agent/agent-store.ts";
export { checkSandbox, type SandboxCheck, type SandboxPart } from "./agent/sandbox/sandbox-check.ts";
export type { Outcome } from "./answers/answer.ts";
export { type Artefact, type Problem, readArtefact } from "./artefact/artefact.ts";
export { runRudder, splitGroup } from "./cli/run.ts";
export type { RudderContext } from "./cli/session.ts";
export { type FileStoreOptions, openFileStore } from "./haven/file-store.ts";
export { type Clock, type Instant, systemClock } from "./haven/instant.ts";
export { type Layout, layoutOf } from "./haven/layout.ts";
export { type LocateOptions, locate, locateAgain, type Place } from "./haven/locate.ts";
export { makeHaven } from "./haven/make-haven.ts";
export { type OpenHavenOptions, openHaven } from "./haven/open-haven.ts";
export { readDigits } from "./haven/place/project-settings.ts";
export { havenDatabase } from "./haven/place/shared-haven.ts";
export { makePostgresHaven } from "./haven/postgres/make-postgres-haven.ts";
export {
  openPostgresStore,
  type PostgresCrashPoint,
  type PostgresStoreOptions,
} from "./haven/postgres/postgres-store.ts";
export { watchHaven } from "./haven/postgres/watch-haven.ts";
export type {
  Change,
  ChangeOptions,
  HavenReader,
  HavenStep,
  HavenStore,
  Operation,
  Ruling,
  Settled,
  Snapshot,
  StoredArtefact,
  TaskAtHand,
  TaskEffects,
} from "./haven/store.ts";
export { DEFAULT_DIGITS, type Digits, idsIn, type Kind, normaliseId, parseId } from "./ids.ts";
export { type Decision, decide, type Refusal, type TaskCommand, type TaskState } from "./lease/decide.ts";
export { type Caller, DEFAULT_TTL_MS, isLive, type Lease, remainingMs } from "./lease/lease.ts";
export { formatLogLine, LEVELS, type Level, type LogLine, parseLogLine } from "./memory/log-line.ts";
export { RudderError, type RudderErrorCode } from "./rudder-error.ts";
export { type Board, type BoardTask, readBoard } from "./tasks/board.ts";
