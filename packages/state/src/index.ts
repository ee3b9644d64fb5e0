// What outlives a process: the state directory, atomic files, locks between processes, the recovery
// store and the journal of events.

export { homeOf, isPruneId } from "@jeeves/base";
export {
  type Connection,
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Row,
  retrying,
  type Statement,
} from "./database/database.ts";
export { DatabaseError, type DatabaseErrorCode, databaseError, isConnectionFault } from "./database/database-error.ts";
export { databaseUrlOf, requireDatabaseUrl, shownDatabase } from "./database/database-url.ts";
export { type MigrateOptions, migrate, type Schema } from "./database/migrate.ts";
export { closeDatabases, databaseAt, sharedDatabase } from "./database/shared-database.ts";
export { type WatchOptions, watchDatabase } from "./database/watch.ts";
export { notedFallbackDirs, openFallbackDir } from "./fallback-dir.ts";
export { onStateFault, reportFault, type StateFault } from "./faults.ts";
export { makeDirs } from "./files/make-dirs.ts";
export { openPlainFile, readPlainFile } from "./files/plain-file.ts";
export { isPrivateDir } from "./files/private-dir.ts";
export { isOwnSqlite, SQLITE_APPLICATION_ID } from "./files/sqlite-header.ts";
export { writeFileAtomic } from "./files/write-file-atomic.ts";
export { BOOKKEEPING_WAIT_MS, guarded, hasOverdueWork, STORE_WAIT_MS, waitMsOf } from "./guarded.ts";
export { createJournal, type Journal, readJournal, tailJournal } from "./journal.ts";
export { type LockOptions, othersWait, withLock } from "./lock/lock.ts";
export {
  currentProcess,
  isProcessIdentity,
  type Liveness,
  livenessOf,
  type ProcessIdentity,
} from "./lock/process-identity.ts";
export { outlivingMark, toOutlivingEnv } from "./outliving.ts";
export { privateNamesIn, privatePlaces } from "./private-places.ts";
export { projectNamesOf } from "./project/project-names.ts";
export { openRecoveryStore, type RecoveryStoreOptions } from "./shared/open-recovery-store.ts";
export {
  createPostgresRecoveryStore,
  type PostgresRecoveryOptions,
} from "./shared/postgres-recovery-store.ts";
export { type TriedDatabase, tryDatabase } from "./shared/try-database.ts";
export { fallbackStateDir, heldOutputDir, resolveDataDir, resolveStateDir } from "./state-dir.ts";
export { StateError, type StateErrorCode } from "./state-error.ts";
export { createDiskStore, type DiskStoreOptions, storeLimitOf } from "./store/disk-store.ts";
export { listHeldOutput } from "./store/held-output.ts";
export { hideStoresBelow } from "./store/hidden-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";
export { pruneIdOf } from "./store/prune-id.ts";
export type {
  PutRequest,
  RecoveryStore,
  Stored,
  StoredText,
  TextSource,
} from "./store/recovery-store.ts";
export { belongsTo } from "./store/recovery-store.ts";
export { findStoredFile, type StoredFile } from "./store/stored-file.ts";
export { measureStore, type StoreSize, storePlaces, wipeStore } from "./store/wipe-store.ts";
export { ensureUserToken, findUserToken } from "./user-token.ts";
