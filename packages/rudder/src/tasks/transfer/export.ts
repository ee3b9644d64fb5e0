// Everything of a haven as records: artefacts live and archived, memory, logs, counters. Not leases: they belong to
// processes of this place. Under the haven's lock, so that all of it is of one moment.
import { requireUtf8 } from "../../artefact/require-utf8.ts";
import type { HavenReader, StoredArtefact } from "../../haven/store.ts";
import { kindOf } from "../../ids.ts";
import type { LogLine } from "../../memory/log-line.ts";
import { unsyncedByTask } from "../memory/unsynced.ts";
import type { TaskSession } from "../session.ts";
import type { ArtefactRecord, ExportRecord } from "./records.ts";

/** The records in an order that depends on nothing but the haven. */
export function exportHaven({ store, signal }: TaskSession): Promise<readonly ExportRecord[]> {
  return store.change(readAll, { signal });
}

async function readAll(view: HavenReader): Promise<readonly ExportRecord[]> {
  const records: ExportRecord[] = [{ type: "counters", counters: await view.counters() }];
  for (const { id } of (await view.snapshot()).artefacts) records.push(toRecord(await view.artefact(id), false));
  for (const id of await view.archivedIds()) {
    const stored = await view.archived(id);
    if (stored !== undefined) records.push(toRecord(stored, true));
  }
  const noted = await view.notedIds();
  for (const id of noted) {
    const text = await view.memory(id);
    if (text !== undefined) records.push({ type: "memory", id, text });
  }
  const unsynced = await unsyncedByTask(view, noted);
  for (const id of noted) {
    if (kindOf(id) === "epic") {
      for (const line of await view.log(id)) records.push({ type: "log", id, line: toPlain(line) });
    }
    for (const { taskId: _own, ...line } of unsynced.get(id) ?? []) {
      records.push({ type: "log", id, line: toPlain(line) });
    }
  }
  return records;
}

function toRecord({ id, kind, path, text, bytes }: StoredArtefact, archived: boolean): ArtefactRecord {
  requireUtf8(bytes, path);
  return { type: "artefact", id, kind, archived, path, text };
}

/** Lists that say nothing are left out, as they are in a log. */
function toPlain({ files, ...line }: LogLine): Extract<ExportRecord, { type: "log" }>["line"] {
  return { ...line, ...(files === undefined || files.length === 0 ? {} : { files: [...files] }) };
}
