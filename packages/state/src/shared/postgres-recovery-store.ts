// The recovery store of a team in PostgreSQL: what one machine cut, another one recovers byte for byte. Lifetimes
// and the limit are counted by the database.
import { isPruneId } from "@jeeves/base";
import type { Database, Row } from "../database/database.ts";
import { DatabaseError, isConnectionFault } from "../database/database-error.ts";
import { migrate } from "../database/migrate.ts";
import { BOOKKEEPING_WAIT_MS, STORE_WAIT_MS } from "../guarded.ts";
import { projectNamesOf, toProjects } from "../project/project-names.ts";
import { StateError } from "../state-error.ts";
import { pruneIdOf } from "../store/prune-id.ts";
import type { PutRequest, RecoveryStore, Stored, StoredText, TextSource } from "../store/recovery-store.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_TTL_S, isFromOpenDoor } from "../store/recovery-store.ts";
import { encodeText } from "../store/text-codec.ts";
import { anyUsageSlot, RECOVERY_SCHEMA } from "./recovery-schema.ts";
import { DESCRIBE, GET, PUT, REFRESH } from "./recovery-statements.ts";
import { makeRoom, sweepIfDue } from "./recovery-sweep.ts";
import { digestOf, type PackedText, packText, unpackText } from "./text-compression.ts";

/** A larger text is not sent over a network while an answer waits. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** From here on it pays to ask first whether the text is there already. */
const LARGE_BYTES = 64 * 1024;
const MAX_TTL_S = 100 * 365 * 86_400;
/** After the database did not answer in time, calls fail at once for so long. */
const DOWN_MS = 10_000;
/** A put that finds a sweep due begins it, and does not wait for its end: there may be a million entries. */
const SWEEP_WAIT_MS = 50;
const FOREIGN_KEY = "23503";

/** The database of the store, its limit (default 1 GiB) and the lifetime of a text (default 14 days). */
export interface PostgresRecoveryOptions {
  readonly database: Database;
  readonly maxBytes?: number;
  readonly defaultTtlS?: number;
  /** For tests: replaces the database's clock. */
  readonly now?: () => number;
}

/**
 * The recovery store in a database; the first call makes its tables. `put` and `get` reject with a StateError
 * `store_unavailable`.
 */
export function createPostgresRecoveryStore(options: PostgresRecoveryOptions): RecoveryStore {
  const { database, maxBytes = DEFAULT_MAX_BYTES, defaultTtlS = DEFAULT_TTL_S } = options;
  const now = (): Date | null => (options.now === undefined ? null : new Date(options.now()));
  let ready: Promise<void> | undefined;
  let downUntilMs = 0;
  let isSweeping = false;

  /** Runs `work` within `waitMs`; a connection that had died unnoticed is replaced once. */
  async function ask<T>(work: () => Promise<T>, waitMs = STORE_WAIT_MS): Promise<T> {
    if (performance.now() < downUntilMs) throw unavailable(`${database.shown} did not answer a moment ago`);
    try {
      return await within(waitMs, async () => {
        ready ??= migrate(database, RECOVERY_SCHEMA);
        await ready.catch((error: unknown) => {
          ready = undefined;
          throw error;
        });
        return work().catch((error: unknown) => {
          if (isConnectionFault(error) || isRace(error)) return work();
          throw error;
        });
      });
    } catch (error) {
      if (error instanceof StateError) throw error;
      if (!(error instanceof DatabaseError)) throw error;
      if (error.code === "stalled") downUntilMs = performance.now() + DOWN_MS;
      throw unavailable(error.message, error);
    }
  }

  async function put(request: PutRequest): Promise<Stored> {
    const encoded = encodeText(request.text);
    const size = encoded.bytes.byteLength;
    if (size > maxBytes) throw unavailable(`the text (${size} bytes) is larger than the whole store may be`);
    if (size > MAX_TEXT_BYTES)
      throw unavailable(`the text has ${size} bytes, and the shared store takes ${MAX_TEXT_BYTES}`);
    const pruneId = pruneIdOf(encoded, request.focus, request.options);
    const ttlS = Math.min(MAX_TTL_S, Math.max(0, request.ttlS ?? defaultTtlS));
    const projects = request.project === undefined ? [] : await projectNamesOf(request.project);
    const at = now();
    const { isFull } = await ask(async () => {
      if (size > LARGE_BYTES) {
        const there = await database.query(REFRESH, [pruneId, digestOf(encoded), at, ttlS, projects]);
        if (there.length > 0) return { isFull: false };
      }
      const packed = await packText(encoded);
      const [row] = await database.query(PUT, valuesOf(request, { pruneId, packed, ttlS, projects, at, maxBytes }));
      // Sixty bits met by chance or on purpose. Overwriting would change what an earlier id brings back.
      if (!packed.sha256.equals(row?.sha256 as Buffer)) throw unavailable(`${pruneId} already names another text`);
      return { isFull: row?.is_full === true };
    });
    await tidy({ isFull, keep: pruneId, at });
    return { pruneId };
  }

  /** The text is safe: a store that could not be tidied is tidied by the next put. */
  async function tidy(what: {
    readonly isFull: boolean;
    readonly keep: string;
    readonly at: Date | null;
  }): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    const work = what.isFull ? makeRoom(database, { maxBytes, keep: what.keep, now: what.at }) : sweepIfDue(database);
    const done = work.then(
      () => {},
      () => {},
    );
    void done.then(() => {
      isSweeping = false;
    });
    await within(what.isFull ? BOOKKEEPING_WAIT_MS : SWEEP_WAIT_MS, () => done).catch(() => {});
  }

  async function get(pruneId: string): Promise<StoredText | undefined> {
    if (!isPruneId(pruneId)) return undefined;
    const [row] = await ask(() => database.query(GET, [pruneId, now()]));
    if (row === undefined) return undefined;
    const text = await unpackText(row as unknown as PackedText);
    return text === undefined ? undefined : toStoredText(row, text);
  }

  async function describe(pruneId: string, cut: unknown): Promise<void> {
    if (!isPruneId(pruneId)) return;
    await ask(() => database.query(DESCRIBE, [pruneId, JSON.stringify(cut)]), BOOKKEEPING_WAIT_MS).catch(() => {});
  }

  return { put, get, describe };
}

interface PutParts {
  readonly pruneId: string;
  readonly packed: PackedText;
  readonly ttlS: number;
  readonly projects: readonly string[];
  readonly at: Date | null;
  readonly maxBytes: number;
}

/** In the order of the statement's parameters. */
function valuesOf(request: PutRequest, { pruneId, packed, ttlS, projects, at, maxBytes }: PutParts): unknown[] {
  const { source, cut } = request;
  const isOpen = isFromOpenDoor({ projects, ...(source === undefined ? {} : { source }) });
  return [
    pruneId,
    packed.sha256,
    ttlS,
    isOpen,
    source === undefined ? null : JSON.stringify(source),
    at,
    projects,
    cut === undefined ? null : JSON.stringify(cut),
    maxBytes,
    packed.encoding,
    packed.compression,
    packed.bytes,
    packed.data,
    anyUsageSlot(),
  ];
}

function toStoredText(row: Row, text: string): StoredText {
  const { stored_at: storedAt, source, projects, cut } = row;
  return {
    text,
    storedAt: (storedAt as Date).toISOString(),
    ...(typeof source === "string" ? { source: JSON.parse(source) as TextSource } : {}),
    projects: toProjects(projects as readonly string[]),
    ...(typeof cut === "string" ? { cut: JSON.parse(cut) as unknown } : {}),
  };
}

/** A sweep removed the text while its entry was put: the put is to be repeated. */
function isRace(error: unknown): boolean {
  return error instanceof DatabaseError && (error.sqlState === FOREIGN_KEY || error.code === "conflict");
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stalled(ms)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function stalled(ms: number): DatabaseError {
  return new DatabaseError("stalled", `the database did not answer within ${ms / 1000} s`, {
    hint: "see that the network between here and the server is up; jeeves doctor tests it",
  });
}

function unavailable(reason: string, cause?: unknown): StateError {
  return new StateError("store_unavailable", `the shared recovery store took nothing: ${reason}`, {
    hint: cause instanceof DatabaseError ? cause.hint : "jeeves doctor tests JEEVES_DATABASE_URL",
    cause,
  });
}
