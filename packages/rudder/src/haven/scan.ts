// Every artefact file of a haven, by name (RU-04): which id, where. Reads directories only. A link, or anything that is
// no plain file, is named and left alone: it could lead out of the haven.
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ArtefactPlace, Problem } from "../artefact/artefact.ts";
import { type Digits, formatId, type Kind, readId } from "../ids.ts";
import { systemCodeOf } from "../rudder-error.ts";
import { FOLDER_OF, type Layout } from "./layout.ts";

const MAX_REMEMBERED = 100_000;

export interface Scan {
  readonly places: readonly ArtefactPlace[];
  readonly problems: readonly Problem[];
}

export interface ScanOptions {
  readonly digits: Digits;
  readonly kind?: Kind;
}

export function scanArtefacts(layout: Layout, options: ScanOptions): Scan {
  return createScanner(layout, options)();
}

/** A scan that is made again and again: what a name means is worked out once. */
export function createScanner(layout: Layout, options: ScanOptions): () => Scan {
  const placeOf = new Map<string, ArtefactPlace>();
  return () => scanOnce(layout, options, placeOf);
}

function scanOnce(layout: Layout, options: ScanOptions, placeOf: Map<string, ArtefactPlace>): Scan {
  if (placeOf.size > MAX_REMEMBERED) placeOf.clear();
  const places: ArtefactPlace[] = [];
  const problems: Problem[] = [];
  const report = (path: string): void =>
    void problems.push({ code: "not_a_file", path, message: "it is no plain file, so it is left alone" });
  for (const folder of list(layout.prds)) {
    const id = idOfName(folder.name, "prd", options.digits);
    if (id === undefined) continue;
    const base = `artefacts/prds/${folder.name}`;
    if (!folder.isDirectory()) {
      report(base);
      continue;
    }
    if (options.kind === undefined || options.kind === "prd") {
      const file = list(join(layout.prds, folder.name)).find((entry) => entry.name === "prd.md");
      if (file?.isFile() === true) places.push({ kind: "prd", id, path: `${base}/prd.md`, prd: id });
      else if (file !== undefined) report(`${base}/prd.md`);
    }
    for (const kind of ["epic", "task", "story"] as const) {
      if (options.kind !== undefined && options.kind !== kind) continue;
      for (const entry of list(join(layout.prds, folder.name, FOLDER_OF[kind]))) {
        const path = `${base}/${FOLDER_OF[kind]}/${entry.name}`;
        const known = placeOf.get(path);
        if (known !== undefined && entry.isFile()) {
          places.push(known);
          continue;
        }
        const own = entry.name.endsWith(".md") ? idOfName(entry.name, kind, options.digits) : undefined;
        if (own === undefined) continue;
        if (entry.isFile()) {
          const place: ArtefactPlace = { kind, id: own, path, prd: id };
          placeOf.set(path, place);
          places.push(place);
        } else report(path);
      }
    }
  }
  return { places, problems };
}

function idOfName(name: string, kind: Kind, digits: Digits): string | undefined {
  const head = /^((?:PRD-?|E|T|S)\d{1,9})(?:-|\.md$|$)/i.exec(name)?.[1] ?? "";
  const id = readId(head);
  return id?.kind === kind ? formatId(id, digits) : undefined;
}

/** In the order of names, so that the same haven gives the same answer on every file system. */
function list(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
