// The lines that no sync has moved yet, by task: read once for all, because each query looks at every log's name.
import type { HavenReader } from "../../haven/store.ts";
import { kindOf } from "../../ids.ts";
import type { LogLine } from "../../memory/log-line.ts";

/** Unsynced lines of those ids that are tasks. */
export async function unsyncedByTask(
  view: HavenReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly LogLine[]>> {
  const byTask = new Map<string, LogLine[]>();
  for (const line of await view.unsyncedLog(ids.filter((id) => kindOf(id) === "task"))) {
    const own = byTask.get(line.taskId ?? "");
    if (own === undefined) byTask.set(line.taskId ?? "", [line]);
    else own.push(line);
  }
  return byTask;
}
