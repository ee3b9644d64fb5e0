// The recovery store of this environment: files of this machine, or with JEEVES_DATABASE_URL the team's database, where
// each machine still keeps its own plain file of what it cut.
import { DatabaseError } from "../database/database-error.ts";
import { databaseUrlOf } from "../database/database-url.ts";
import { reportFault } from "../faults.ts";
import { StateError } from "../state-error.ts";
import { createDiskStore, type DiskStoreOptions, storeLimitOf } from "../store/disk-store.ts";
import type { PutRequest, RecoveryStore, Stored, StoredText } from "../store/recovery-store.ts";

/** The environment that names the store, and its limits. */
export type RecoveryStoreOptions = Pick<DiskStoreOptions, "env" | "maxBytes" | "defaultTtlS">;

/**
 * The store of this environment; it connects with the first text. `put` and `get` reject with a StateError
 * `store_unavailable`.
 */
export function openRecoveryStore(options: RecoveryStoreOptions): RecoveryStore {
  const own = createDiskStore(options);
  const { JEEVES_DATABASE_URL: named } = options.env;
  if (named === undefined || named.trim() === "") return own;
  let opened: Promise<RecoveryStore> | undefined;
  const shared = (): Promise<RecoveryStore> => {
    opened ??= openShared(options);
    return opened;
  };
  return {
    put: (request) => putBoth(own, shared, request),
    get: (pruneId) => getEither(own, shared, pruneId),
    async describe(pruneId, cut) {
      await Promise.all([
        own.describe?.(pruneId, cut),
        shared()
          .then((store) => store.describe?.(pruneId, cut))
          .catch(() => {}),
      ]);
    },
  };
}

async function openShared(options: RecoveryStoreOptions): Promise<RecoveryStore> {
  const { env, maxBytes = storeLimitOf(env), defaultTtlS } = options;
  try {
    const url = databaseUrlOf(env) ?? "";
    // Loaded here: a program without the variable reads none of it.
    const { databaseAt } = await import("../database/shared-database.ts");
    const { createPostgresRecoveryStore } = await import("./postgres-recovery-store.ts");
    return createPostgresRecoveryStore({
      database: databaseAt(url),
      maxBytes,
      ...(defaultTtlS === undefined ? {} : { defaultTtlS }),
    });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new StateError("store_unavailable", error.message, { hint: error.hint, cause: error });
  }
}

/** Stored means stored in the database, where other machines recover it. The file of this machine is best effort. */
async function putBoth(own: RecoveryStore, shared: () => Promise<RecoveryStore>, request: PutRequest): Promise<Stored> {
  const [there, here] = await Promise.allSettled([shared().then((store) => store.put(request)), own.put(request)]);
  if (there.status === "rejected") throw there.reason;
  if (here.status === "rejected") reportFault("store", "own file", here.reason);
  return here.status === "fulfilled" ? here.value : there.value;
}

/**
 * The database knows the projects of all machines; where it is down, what this machine cut is read from its own files.
 */
async function getEither(
  own: RecoveryStore,
  shared: () => Promise<RecoveryStore>,
  pruneId: string,
): Promise<StoredText | undefined> {
  let fault: unknown;
  try {
    const there = await (await shared()).get(pruneId);
    if (there !== undefined) return there;
  } catch (error) {
    fault = error;
  }
  const here = await own.get(pruneId);
  if (here === undefined && fault !== undefined) throw fault;
  return here;
}
