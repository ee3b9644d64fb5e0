// The store of a haven: files of this machine, or the database that JEEVES_DATABASE_URL names. What the database needs is
// loaded with the first question to it.
import type { Digits } from "../ids.ts";
import { type FileStoreOptions, openFileStore } from "./file-store.ts";
import { havenDatabase } from "./place/shared-haven.ts";
import type { HavenStore } from "./store.ts";

/** Which haven, and how it will be used. */
export interface OpenHavenOptions extends FileStoreOptions {
  /** The haven's id. */
  readonly id: string;
  readonly digits: Digits;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Opens a haven in the database that JEEVES_DATABASE_URL names, or else in files; nothing is opened before the first
 * call. Throws `invalid_argument` for a URL that is none.
 */
export function openHaven({ id, env, ...files }: OpenHavenOptions): HavenStore {
  const database = havenDatabase(env);
  if (database === undefined) return openFileStore(files);
  const { haven, digits, isLive } = files;
  let opened: Promise<HavenStore> | undefined;
  const open = (): Promise<HavenStore> => {
    opened ??= import("./postgres/postgres-store.ts").then(({ openPostgresStore }) =>
      openPostgresStore({ database, id, haven, digits, isLive }),
    );
    return opened;
  };
  return {
    haven,
    digits,
    now: async () => (await open()).now(),
    snapshot: async () => (await open()).snapshot(),
    artefact: async (one) => (await open()).artefact(one),
    find: async (ids) => (await open()).find(ids),
    tasksOf: async (epicId) => (await open()).tasksOf(epicId),
    dependentsOf: async (one) => (await open()).dependentsOf(one),
    lease: async (taskId) => (await open()).lease(taskId),
    leases: async () => (await open()).leases(),
    assignment: async (taskId) => (await open()).assignment(taskId),
    agents: async (taskId) => (await open()).agents(taskId),
    log: async (one) => (await open()).log(one),
    unsyncedLog: async (taskIds) => (await open()).unsyncedLog(taskIds),
    memory: async (one) => (await open()).memory(one),
    notedIds: async () => (await open()).notedIds(),
    archivedIds: async () => (await open()).archivedIds(),
    archived: async (one) => (await open()).archived(one),
    counters: async () => (await open()).counters(),
    change: async (run, options) => (await open()).change(run, options),
    changeTask: async (taskId, rule, options) => (await open()).changeTask(taskId, rule, options),
    changesSince: async (seq) => (await open()).changesSince(seq),
    leave: async (caller) => (await open()).leave(caller),
    close: async () => (await opened)?.close(),
  };
}
