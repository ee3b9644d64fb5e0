// The commands about who waits for whom: each a use case of ../../tasks/deps, and its answer.
import type { Answer } from "../../answers/answer.ts";
import * as answers from "../../answers/deps.ts";
import * as deps from "../../tasks/deps/deps.ts";
import * as edits from "../../tasks/deps/edit-deps.ts";
import { growTree, type TreeRequest } from "../../tasks/deps/tree.ts";
import type { Session } from "../session.ts";

interface Limit {
  readonly limit?: number;
}

/** `rudder deps ready` */
export const ready = async (session: Session, { limit }: Limit): Promise<Answer> =>
  answers.readyAnswer(await deps.findReady(session), { columns: session.columns, limit });

/** `rudder task next` */
export const next = async (session: Session): Promise<Answer> => answers.nextAnswer(await deps.findReady(session));

/** `rudder deps show` */
export const showDeps = async (session: Session, id: string): Promise<Answer> =>
  answers.depsAnswer(await deps.showDeps(session, id), session);

/** `rudder deps critical` */
export const critical = async (session: Session, options: Limit): Promise<Answer> =>
  answers.criticalAnswer(await deps.findCritical(session, options), session);

/** `rudder deps tree` */
export const tree = async (session: Session, request: TreeRequest): Promise<Answer> =>
  answers.treeAnswer(await growTree(session, request));

/** `rudder deps add` and `deps remove` */
export const editDeps = async (session: Session, request: edits.EditDepsRequest): Promise<Answer> =>
  answers.depsEditedAnswer(await edits.editDeps(session, request));

/** `rudder deps validate` */
export const validateHaven = async (session: Session, options: { readonly fix?: boolean }): Promise<Answer> =>
  answers.validatedAnswer(await edits.validateHaven(session, options));
