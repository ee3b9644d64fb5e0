// Stores the raw text before a cut of it is shown.
import { within } from "@jeeves/base";
import { type PutRequest, pruneIdOf, type RecoveryStore } from "@jeeves/state";

/** What became of a text that was to be stored. */
export type StoreEnd =
  | {
      readonly kind: "stored";
      readonly pruneId: string;
      /** Its plain file, where it has one. */
      readonly path?: string;
    }
  | { readonly kind: "failed"; readonly pruneId: string; readonly error: unknown }
  /** Not done in time; it goes on, and `end` resolves with its result. */
  | { readonly kind: "late"; readonly pruneId: string; readonly end: Promise<StoreEnd> };

/** Waits until the text is stored, by default as long as the store itself does. Never rejects. */
export type Storing = (waitMs?: number) => Promise<StoreEnd>;

/** Starts to store a text; the returned function waits for it. */
export function startStoring(store: RecoveryStore, request: PutRequest): Storing {
  const idOf = () => pruneIdOf(request.text, request.focus, request.options);
  const end = store.put(request).then(
    (stored): StoreEnd => ({ kind: "stored", ...stored }),
    (error: unknown): StoreEnd => ({ kind: "failed", pruneId: idOf(), error: error ?? "unknown" }),
  );
  return async (waitMs) => {
    if (waitMs === undefined) return end;
    return (await within(waitMs, end)) ?? { kind: "late", pruneId: idOf(), end };
  };
}
