// What outlives a process: the state directory, atomic files, a lock with its owner, the recovery
// store and the journal of events.

export { createDiskStore, type DiskStoreOptions, storeLimitOf } from "./disk-store.ts";
export { onStateFault, reportFault, type StateFault } from "./faults.ts";
export { BOOKKEEPING_WAIT_MS, guarded, hasOverdueWork, STORE_WAIT_MS, waitMsOf } from "./guarded.ts";
export { createJournal, type Journal, readJournal, tailJournal } from "./journal.ts";
export { type LockOptions, othersWait, withLock } from "./lock.ts";
export { makeDirs } from "./make-dirs.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { outlivingMark, toOutlivingEnv } from "./outliving.ts";
export { openPlainFile, readPlainFile } from "./plain-file.ts";
export { privateNamesIn, privatePlaces } from "./private-places.ts";
export {
  currentProcess,
  isProcessIdentity,
  type Liveness,
  livenessOf,
  type ProcessIdentity,
} from "./process-identity.ts";
export { isPruneId, pruneIdOf } from "./prune-id.ts";
export type {
  PutRequest,
  RecoveryStore,
  Stored,
  StoredText,
  TextSource,
} from "./recovery-store.ts";
export { belongsTo } from "./recovery-store.ts";
export { fallbackStateDir, homeOf, resolveDataDir, resolveStateDir } from "./state-dir.ts";
export { StateError, type StateErrorCode } from "./state-error.ts";
export { findStoredFile, type StoredFile } from "./stored-file.ts";
export { ensureUserToken, findUserToken } from "./user-token.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
