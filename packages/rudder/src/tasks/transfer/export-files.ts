// A haven as the tree of files that people know, whatever store it is in; without leases and without the past.
import { readdirSync } from "node:fs";
import { systemCodeOf } from "@jeeves/base";
import { requireUtf8 } from "../../artefact/require-utf8.ts";
import { writeFileDump } from "../../haven/move/file-dump.ts";
import type { DumpedLine, HavenDump } from "../../haven/move/haven-dump.ts";
import { kindOf } from "../../ids.ts";
import { formatLogLine } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import type { TaskSession } from "../session.ts";
import { exportHaven } from "./export.ts";

/** What was written. */
interface ExportedFiles {
  readonly dir: string;
  readonly artefacts: number;
  readonly pages: number;
  readonly lines: number;
}

/** Writes into a directory that is new or empty. */
export async function exportFiles(session: TaskSession, dir: string): Promise<ExportedFiles> {
  requireEmpty(dir);
  const artefacts: HavenDump["artefacts"][number][] = [];
  const pages: HavenDump["pages"][number][] = [];
  const lines: DumpedLine[] = [];
  for (const record of await exportHaven(session)) {
    if (record.type === "artefact") {
      const bytes = Buffer.from(record.text);
      requireUtf8(bytes, record.path);
      artefacts.push({ key: record.id, path: record.path, bytes });
    }
    if (record.type === "memory") pages.push({ key: record.id, bytes: Buffer.from(record.text) });
    if (record.type === "log") {
      const { taskId, files, ...plain } = record.line;
      const line = formatLogLine({ ...plain, ...(files === undefined ? {} : { files }) } as Parameters<
        typeof formatLogLine
      >[0]);
      const isTask = kindOf(record.id) === "task";
      lines.push({ task: isTask ? record.id : (taskId ?? null), epic: isTask ? null : record.id, line });
    }
  }
  const counters = { prd: 0, epic: 0, task: 0, story: 0 };
  writeFileDump(dir, { artefacts, pages, lines, counters, tasks: [], changes: [], operations: [], agents: [] });
  return { dir, artefacts: artefacts.length, pages: pages.length, lines: lines.length };
}

function requireEmpty(dir: string): void {
  try {
    if (readdirSync(dir).length === 0) return;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return;
  }
  throw new RudderError("invalid_argument", `${dir} is there and not an empty directory`, {
    hint: "name a directory that is not there yet",
    details: { dir },
  });
}
