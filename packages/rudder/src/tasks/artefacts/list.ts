// The artefacts of one kind that fit, with who holds them.
import type { Artefact, Problem } from "../../artefact/artefact.ts";
import { parseId } from "../../ids.ts";
import { isLive } from "../../lease/lease.ts";
import { parseStatus } from "../../statuses.ts";
import type { TaskSession } from "../session.ts";

/** What has to fit. */
export interface ListOptions {
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  readonly prd?: string | undefined;
  readonly epic?: string | undefined;
  readonly assignee?: string | undefined;
  readonly limit?: number | undefined;
}

/** What was found, as far as it is shown. */
export interface Listed {
  readonly kind: "prd" | "epic" | "task";
  readonly shown: readonly Artefact[];
  readonly total: number;
  readonly holders: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Lists artefacts in the order of their ids. */
export async function list(session: TaskSession, kind: Listed["kind"], options: ListOptions): Promise<Listed> {
  const { store } = session;
  const { digits } = store;
  const status = options.status === undefined ? undefined : parseStatus(kind, options.status);
  const prd = options.prd === undefined ? undefined : parseId(options.prd, { kinds: ["prd"], digits });
  const epic = options.epic === undefined ? undefined : parseId(options.epic, { kinds: ["epic"], digits });
  const { artefacts, problems } = await store.snapshot();
  const { leases, nowMs } = await store.leases();
  const holders = new Map(
    leases.filter((lease) => isLive(lease, nowMs)).map((lease) => [lease.taskId, lease.holder.name]),
  );
  const found = artefacts.filter(
    (artefact) =>
      artefact.kind === kind &&
      (status === undefined || artefact.status === status) &&
      (prd === undefined || artefact.prd === prd) &&
      (epic === undefined || artefact.epic === epic) &&
      (options.tag === undefined || artefact.tags.includes(options.tag)) &&
      (options.assignee === undefined || (holders.get(artefact.id) ?? artefact.assignee) === options.assignee),
  );
  const shown = options.limit === undefined ? found : found.slice(0, options.limit);
  return { kind, shown, total: found.length, holders, problems };
}
