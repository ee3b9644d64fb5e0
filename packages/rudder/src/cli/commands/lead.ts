// The commands for planning and tidying up: each a use case of ../../tasks, and its answer.
import { resolve } from "node:path";
import type { Answer } from "../../answers/answer.ts";
import { removedAnswer } from "../../answers/artefacts.ts";
import { archivedAnswer, restoredAnswer } from "../../answers/lead/archive.ts";
import { boardAnswer } from "../../answers/lead/board.ts";
import { plannedAnswer } from "../../answers/lead/plan.ts";
import { searchAnswer } from "../../answers/lead/search.ts";
import { exportAnswer, importedAnswer } from "../../answers/lead/transfer.ts";
import { RudderError } from "../../rudder-error.ts";
import { archive as archiveWork } from "../../tasks/archive/archive.ts";
import { restore } from "../../tasks/archive/restore.ts";
import { type RemoveRequest, remove as removeArtefact } from "../../tasks/artefacts/remove.ts";
import { readBoard } from "../../tasks/board.ts";
import { MAX_PLAN_BYTES, makePlan } from "../../tasks/plan/make-plan.ts";
import { search as searchHaven } from "../../tasks/search.ts";
import { exportHaven as readExport } from "../../tasks/transfer/export.ts";
import { importHaven as bringIn, MAX_IMPORT_BYTES } from "../../tasks/transfer/import.ts";
import { readGiven } from "../read-document.ts";
import type { Session } from "../session.ts";

const DEFAULT_HITS = 50;
const DEFAULT_BOARD = 20;

/** `rudder plan FILE`. */
export async function plan(
  session: Session,
  request: { readonly file: string; readonly apply: boolean },
): Promise<Answer> {
  const document = await readGiven(session, request.file, MAX_PLAN_BYTES);
  return plannedAnswer(await makePlan(session, { document, apply: request.apply }), request);
}

/** `rudder search WORDS`. */
export const search = async (
  session: Session,
  request: { readonly words: readonly string[]; readonly limit?: number },
): Promise<Answer> =>
  searchAnswer(await searchHaven(session, { words: request.words, limit: request.limit ?? DEFAULT_HITS }), session);

/** `rudder archive`: one way, or back. */
export async function archive(
  session: Session,
  request: {
    readonly id?: string | undefined;
    readonly olderThan?: number;
    readonly apply: boolean;
    readonly restore?: string;
  },
): Promise<Answer> {
  const { id, olderThan, apply } = request;
  if (request.restore !== undefined) {
    if (id !== undefined || olderThan !== undefined || apply) {
      throw new RudderError("invalid_argument", "--restore stands alone", { hint: "rudder archive --restore T042" });
    }
    return restoredAnswer(await restore(session, request.restore));
  }
  return archivedAnswer(await archiveWork(session, { id, olderThanMs: olderThan, apply }), session);
}

/** `rudder export`. */
export async function exportHaven(session: Session, { files }: { readonly files?: string }): Promise<Answer> {
  if (files === undefined) return exportAnswer(await readExport(session));
  if (session.isServed) {
    throw new RudderError("denied", "--files writes where the server runs", {
      hint: "leave it out: JSON lines come back",
    });
  }
  const { exportFiles } = await import("../../tasks/transfer/export-files.ts");
  const written = await exportFiles(session, resolve(session.cwd, files));
  const words = `${written.artefacts} artefacts, ${written.pages} pages, ${written.lines} log lines`;
  return { json: written, text: `${words} in ${written.dir}` };
}

/** `rudder import FILE`. */
export async function importHaven(
  session: Session,
  request: { readonly file: string; readonly merge: boolean; readonly partial: boolean },
): Promise<Answer> {
  const document = await readGiven(session, request.file, MAX_IMPORT_BYTES);
  return importedAnswer(await bringIn(session, { document, merge: request.merge, partial: request.partial }));
}

/** `rudder board`. */
export const board = async (session: Session, { limit }: { readonly limit?: number }): Promise<Answer> =>
  boardAnswer(await readBoard(session.store, { maxMemory: 0 }), {
    columns: session.columns,
    hasColours: session.hasColours,
    limit: limit ?? DEFAULT_BOARD,
  });

/** `rudder task remove ID`, and of epics and PRDs. */
export const remove = async (session: Session, request: RemoveRequest): Promise<Answer> =>
  removedAnswer(await removeArtefact(session, request));
