// Archived artefacts: the same files below `archive/`, laid out like the haven itself. No index knows them, so that old
// work costs nothing until it is asked for.
import { type Digits, KINDS, type Kind, readId } from "../ids.ts";
import { scanArtefacts } from "./index/scan.ts";
import { type Layout, layoutOf } from "./layout.ts";

const PREFIX = "archive/";

/** Where an archived artefact is, relative to the haven. */
export interface ArchivedPlace {
  readonly kind: Kind;
  readonly id: string;
  readonly path: string;
}

/** Every archived artefact, or those of one kind, in the order of their ids. */
export function archivedPlaces(
  layout: Layout,
  options: { readonly digits: Digits; readonly kind?: Kind },
): readonly ArchivedPlace[] {
  const { places } = scanArtefacts(layoutOf(layout.archive), options);
  const keyed = places.map(({ kind, id, path }) => ({
    place: { kind, id, path: `${PREFIX}${path}` },
    key: KINDS.indexOf(kind) * 1e10 + (readId(id)?.number ?? 0),
  }));
  return keyed.sort((a, b) => a.key - b.key).map(({ place }) => place);
}

/** The path of a live artefact in the archive. */
export function toArchivePath(path: string): string {
  return isArchivePath(path) ? path : `${PREFIX}${path}`;
}

/** The path of an archived artefact among the live ones. */
export function toLivePath(path: string): string {
  return isArchivePath(path) ? path.slice(PREFIX.length) : path;
}

/** Whether a path, relative to the haven, is in the archive. */
export function isArchivePath(path: string): boolean {
  return path.startsWith(PREFIX);
}
