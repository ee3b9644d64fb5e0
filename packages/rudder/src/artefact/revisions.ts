// A list of artefacts that differs from an earlier one only in the fields of a few: what was worked out for the earlier
// list (who waits for whom) may still hold.
import type { Artefact } from "./artefact.ts";

/** Where a list comes from. */
interface Revision {
  readonly from: readonly Artefact[];
  /** Places whose artefact is another one; ids and order are the same in both lists. */
  readonly changed: readonly number[];
}

/** Each link keeps the list before it in memory. */
const MAX_LINKS = 8;
const revisions = new WeakMap<readonly Artefact[], Revision>();

/** Remembers that `next` was made from an earlier list. */
export function noteRevision(next: readonly Artefact[], revision: Revision): void {
  let links = 1;
  for (let at = revisions.get(revision.from); at !== undefined; at = revisions.get(at.from)) links += 1;
  if (links <= MAX_LINKS) revisions.set(next, revision);
}

/** Where a list comes from; undefined where it was made from nothing. */
export function revisionOf(list: readonly Artefact[]): Revision | undefined {
  return revisions.get(list);
}

/** What was needed has been worked out: earlier lists may go. */
export function forgetRevision(list: readonly Artefact[]): void {
  revisions.delete(list);
}
