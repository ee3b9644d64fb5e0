// Every artefact file of a haven, by name (RU-04): which id, where. Reads directories only. A link, or anything that is
// no plain file, is named and left alone: it could lead out of the haven.
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { ArtefactPlace, Problem } from "../../artefact/artefact.ts";
import { type Digits, formatId, type Kind, readId } from "../../ids.ts";
import { FOLDER_OF, type Layout } from "../layout.ts";

const MAX_REMEMBERED = 10_000;

interface Scan {
  readonly places: readonly ArtefactPlace[];
  readonly problems: readonly Problem[];
}

interface ScanOptions {
  readonly digits: Digits;
  readonly kind?: Kind;
}

/** Reads the directories once; with `kind` only those of that kind. */
export function scanArtefacts(layout: Layout, options: ScanOptions): Scan {
  return createScanner(layout, options)();
}

/** What a directory meant when it was read last. */
interface Known {
  readonly names: readonly string[];
  readonly places: readonly ArtefactPlace[];
}

/** A scan that is made again and again: what a directory's names mean is worked out once, until they change. */
export function createScanner(layout: Layout, options: ScanOptions): () => Scan {
  const known = new Map<string, Known>();
  return () => {
    if (known.size > MAX_REMEMBERED) known.clear();
    return scanOnce(layout, options, known);
  };
}

function scanOnce(layout: Layout, options: ScanOptions, known: Map<string, Known>): Scan {
  const places: ArtefactPlace[] = [];
  const problems: Problem[] = [];
  const report = (path: string): void =>
    void problems.push({ code: "not_a_file", path, message: "it is no plain file, so it is left alone" });
  for (const folder of inOrder(list(layout.prds))) {
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
      const below = `${base}/${FOLDER_OF[kind]}`;
      const entries = list(join(layout.haven, below));
      const before = known.get(below);
      if (before !== undefined && isSameList(entries, before.names)) {
        for (const place of before.places) places.push(place);
        continue;
      }
      const own: ArtefactPlace[] = [];
      for (const { entry, path, artefact } of read(entries, below, kind, options.digits)) {
        if (entry.isFile()) own.push({ kind, id: artefact, path, prd: id });
        else report(path);
      }
      known.set(below, { names: entries.map((entry) => entry.name), places: own });
      places.push(...own);
    }
  }
  return { places, problems };
}

function read(entries: readonly Dirent[], below: string, kind: Kind, digits: Digits) {
  return inOrder(entries).flatMap((entry) => {
    const artefact = entry.name.endsWith(".md") ? idOfName(entry.name, kind, digits) : undefined;
    return artefact === undefined ? [] : [{ entry, artefact, path: `${below}/${entry.name}` }];
  });
}

/** The same names in the same order, and plain files all of them: then it means what it meant. */
function isSameList(entries: readonly Dirent[], names: readonly string[]): boolean {
  return entries.length === names.length && entries.every((entry, at) => entry.name === names[at] && entry.isFile());
}

/** What a path below the haven is by its name; undefined for what is no artefact. */
export function placeOfPath(path: string, digits: Digits): ArtefactPlace | undefined {
  const [artefacts, prds, folder = "", ...rest] = path.split("/");
  const prd = idOfName(folder, "prd", digits);
  if (artefacts !== "artefacts" || prds !== "prds" || prd === undefined) return undefined;
  if (rest.length === 1) return rest[0] === "prd.md" ? { kind: "prd", id: prd, path, prd } : undefined;
  const [below, name = ""] = rest;
  const kind = (["epic", "task", "story"] as const).find((one) => FOLDER_OF[one] === below);
  if (kind === undefined || rest.length !== 2 || !name.endsWith(".md")) return undefined;
  const id = idOfName(name, kind, digits);
  return id === undefined ? undefined : { kind, id, path, prd };
}

function idOfName(name: string, kind: Kind, digits: Digits): string | undefined {
  const head = /^((?:PRD-?|E|T|S)\d{1,9})(?:-|\.md$|$)/i.exec(name)?.[1] ?? "";
  const id = readId(head);
  return id?.kind === kind ? formatId(id, digits) : undefined;
}

/** By names, so that the same haven gives the same answer on every file system. */
function inOrder(entries: readonly Dirent[]): Dirent[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function list(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
