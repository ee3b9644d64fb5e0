// rudder prd|epic|task list.
import type { Artefact } from "../../../artefact/artefact.ts";
import { parseId } from "../../../ids.ts";
import { isLive } from "../../../lease/lease.ts";
import { parseStatus } from "../../../statuses.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";
import { toTable } from "../../table.ts";
import { problemNotes, toJson } from "../../views.ts";

export interface ListOptions {
  readonly status?: string;
  readonly tag?: string;
  readonly prd?: string;
  readonly epic?: string;
  readonly assignee?: string;
  readonly limit?: number;
}

export async function list(session: Session, kind: "prd" | "epic" | "task", options: ListOptions): Promise<Answer> {
  const { store } = session;
  const { digits } = store;
  const status = options.status === undefined ? undefined : parseStatus(kind, options.status);
  const prd = options.prd === undefined ? undefined : parseId(options.prd, { kinds: ["prd"], digits });
  const epic = options.epic === undefined ? undefined : parseId(options.epic, { kinds: ["epic"], digits });
  const snapshot = await store.snapshot();
  const now = session.clock();
  const { leases } = await store.leases();
  const holders = new Map(
    leases.filter((lease) => isLive(lease, now)).map((lease) => [lease.taskId, lease.holder.name]),
  );
  const fits = (artefact: Artefact): boolean =>
    artefact.kind === kind &&
    (status === undefined || artefact.status === status) &&
    (prd === undefined || artefact.prd === prd) &&
    (epic === undefined || artefact.epic === epic) &&
    (options.tag === undefined || artefact.tags.includes(options.tag)) &&
    (options.assignee === undefined || (holders.get(artefact.id) ?? artefact.assignee) === options.assignee);
  const found = snapshot.artefacts.filter(fits);
  const shown = options.limit === undefined ? found : found.slice(0, options.limit);
  const rows = shown.map((artefact) =>
    kind === "task"
      ? [
          artefact.id,
          artefact.status ?? "?",
          artefact.priority,
          artefact.effort,
          artefact.epic ?? "-",
          holders.get(artefact.id) ?? "-",
          artefact.title,
        ]
      : [artefact.id, artefact.status ?? "?", ...(kind === "epic" ? [artefact.prd ?? "-"] : []), artefact.title],
  );
  const head = {
    task: ["ID", "STATUS", "PRIORITY", "EFFORT", "EPIC", "HOLDER", "TITLE"],
    epic: ["ID", "STATUS", "PRD", "TITLE"],
    prd: ["ID", "STATUS", "TITLE"],
  }[kind];
  const rest = found.length - shown.length;
  const table = toTable(head, rows, session) || `no ${kind} yet: rudder ${kind} create --help`;
  return {
    json: shown.map((artefact) => ({ ...toJson(artefact), holder: holders.get(artefact.id) ?? null })),
    text: rest > 0 ? `${table}\n… ${rest} more: rudder ${kind} list --limit ${found.length}` : table,
    notes: problemNotes(snapshot.problems),
  };
}
