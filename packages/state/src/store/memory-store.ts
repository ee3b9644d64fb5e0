// A recovery store in memory, for tests: nothing survives the process.
import { StateError } from "../state-error.ts";
import { pruneIdOf } from "./prune-id.ts";
import type { PutRequest, RecoveryStore, Stored, StoredText } from "./recovery-store.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_TTL_S, expiryOf, isFromOpenDoor, withProject } from "./recovery-store.ts";

/** Limit (default 1 GiB, two bytes a character), lifetime (default 14 days) and clock of the store. */
export interface MemoryStoreOptions {
  readonly maxBytes?: number;
  readonly defaultTtlS?: number;
  readonly now?: () => number;
}

interface Held extends StoredText {
  readonly expiresMs: number;
  readonly bytes: number;
}

/** A recovery store in memory. `put` rejects with a StateError `store_unavailable` for a text beyond the limit. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RecoveryStore {
  const { maxBytes = DEFAULT_MAX_BYTES, defaultTtlS = DEFAULT_TTL_S, now = Date.now } = options;
  const entries = new Map<string, Held>(); // oldest put first
  let usedBytes = 0;

  function drop(pruneId: string): void {
    usedBytes -= entries.get(pruneId)?.bytes ?? 0;
    entries.delete(pruneId);
  }

  async function put(request: PutRequest): Promise<Stored> {
    const bytes = request.text.length * 2;
    if (bytes > maxBytes) {
      throw new StateError("store_unavailable", `the text (${bytes} bytes) is larger than the whole store may be`, {
        hint: "raise the store's limit",
      });
    }
    const nowMs = now();
    const pruneId = pruneIdOf(request.text, request.focus, request.options);
    const expiresMs = expiryOf(nowMs, request.ttlS ?? defaultTtlS);
    const before = entries.get(pruneId);
    const held: Held =
      before !== undefined && before.expiresMs > nowMs
        ? {
            ...before,
            expiresMs: Math.max(before.expiresMs, expiresMs),
            projects: withProject(before.projects, request.project),
          }
        : {
            text: request.text,
            storedAt: new Date(nowMs).toISOString(),
            expiresMs,
            bytes,
            ...(request.source === undefined ? {} : { source: request.source }),
            projects: withProject([], request.project),
            ...(request.cut === undefined ? {} : { cut: request.cut }),
          };
    drop(pruneId);
    const rank = (entry: Held) => (entry.expiresMs <= nowMs ? 0 : isFromOpenDoor(entry) ? 1 : 2);
    for (const [leaving, entry] of [...entries].sort(([, a], [, b]) => rank(a) - rank(b))) {
      if (entry.expiresMs > nowMs && usedBytes + bytes <= maxBytes) break;
      drop(leaving);
    }
    entries.set(pruneId, held);
    usedBytes += bytes;
    return { pruneId };
  }

  async function get(pruneId: string): Promise<StoredText | undefined> {
    const held = entries.get(pruneId);
    if (held === undefined || held.expiresMs <= now()) return undefined;
    const { expiresMs: _, bytes: __, ...stored } = held;
    return stored;
  }

  async function describe(pruneId: string, cut: unknown): Promise<void> {
    const held = entries.get(pruneId);
    if (held !== undefined && held.cut === undefined) entries.set(pruneId, { ...held, cut });
  }

  return { put, get, describe };
}
