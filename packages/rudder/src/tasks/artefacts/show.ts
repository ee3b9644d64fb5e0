// One artefact: its fields, who holds it, what it waits for, and its text as it stands in the file. One file is read;
// what is said of others comes from the index.
import type { Artefact } from "../../artefact/artefact.ts";
import { parseFront, splitArtefact } from "../../artefact/front-matter.ts";
import { findAnywhere } from "../../graph/archived-blockers.ts";
import { stateWords, type Waiting } from "../../graph/open-blockers.ts";
import { isArchivePath } from "../../haven/archive.ts";
import { parseId } from "../../ids.ts";
import type { Lease } from "../../lease/lease.ts";
import { waitingOf } from "../leases/leases.ts";
import type { TaskSession } from "../session.ts";
import { readAnywhere } from "./read-anywhere.ts";

/** Everything that is known of one artefact. */
export interface Shown {
  readonly artefact: Artefact;
  readonly isArchived: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly lease: Lease | undefined;
  readonly nowMs: number;
  /** Each of its own blockers, and in which state that is. */
  readonly blockedBy: readonly Waiting[];
  readonly waitsFor: readonly Waiting[];
  readonly blocks: readonly string[];
  /** Of an epic. */
  readonly tasks: readonly Artefact[];
}

/** Shows one PRD, epic or task. */
export async function show(session: TaskSession, kind: "prd" | "epic" | "task", text: string): Promise<Shown> {
  const { store } = session;
  const id = parseId(text, { kinds: [kind], digits: store.digits });
  const { artefact, text: whole } = await readAnywhere(store, id);
  const parts = splitArtefact(whole);
  const parsed = parseFront(parts);
  const blockers = await findAnywhere(store, artefact.blockedBy);
  return {
    artefact,
    isArchived: isArchivePath(artefact.path),
    fields: parsed.ok ? parsed.fields : {},
    body: whole.slice(parts.bodyStart),
    lease: kind === "task" ? await store.lease(id) : undefined,
    nowMs: await store.now(),
    blockedBy: artefact.blockedBy.map((one) => ({ id: one, state: stateWords(blockers.get(one)) })),
    waitsFor: await waitingOf(store, artefact),
    blocks: await store.dependentsOf(id),
    tasks: kind === "epic" ? await store.tasksOf(id) : [],
  };
}
