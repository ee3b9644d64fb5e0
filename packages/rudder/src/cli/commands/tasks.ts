// The commands about tasks: each a use case of ../../tasks, and its answer. What loads the pruning engine or reads
// versions is imported when it runs: every command is a process that a person waits for.

import type { Answer } from "../../answers/answer.ts";
import * as artefactAnswers from "../../answers/artefacts.ts";
import * as leaseAnswers from "../../answers/leases.ts";
import * as memoryAnswers from "../../answers/memory.ts";
import { statusAnswer, targetsAnswer, versionsAnswer } from "../../answers/project.ts";
import { LEVELS, type Level } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import { type CreateRequest, create as createArtefact } from "../../tasks/artefacts/create.ts";
import { type ListOptions, list as listArtefacts } from "../../tasks/artefacts/list.ts";
import { show as showArtefact } from "../../tasks/artefacts/show.ts";
import * as texts from "../../tasks/artefacts/text.ts";
import * as updates from "../../tasks/artefacts/update.ts";
import type { ContextRequest } from "../../tasks/context.ts";
import * as leases from "../../tasks/leases/leases.ts";
import { log as addLine } from "../../tasks/log.ts";
import * as memories from "../../tasks/memory/memory.ts";
import { status as projectStatus } from "../../tasks/status.ts";
import { readTexts } from "../read-text.ts";
import type { Session } from "../session.ts";

type Kind = "prd" | "epic" | "task";

/** `rudder prd|epic|task create` */
export const create = async (session: Session, request: CreateRequest): Promise<Answer> =>
  artefactAnswers.createdAnswer(await createArtefact(session, request));

/** `rudder prd|epic|task list` */
export const list = async (session: Session, kind: Kind, options: ListOptions): Promise<Answer> =>
  artefactAnswers.listedAnswer(await listArtefacts(session, kind, options), session);

/** `rudder prd|epic|task show` */
export const show = async (session: Session, kind: Kind, id: string): Promise<Answer> =>
  artefactAnswers.shownAnswer(await showArtefact(session, kind, id));

/** `rudder prd|epic|task update` */
export const update = async (session: Session, request: updates.UpdateRequest): Promise<Answer> =>
  artefactAnswers.updatedAnswer(await updates.update(session, request));

/** `rudder task start|done|block` */
export const setStatus = async (session: Session, request: updates.StatusRequest): Promise<Answer> =>
  artefactAnswers.statusSetAnswer(await updates.setStatus(session, request));

/** `rudder artifact show` */
export const showArtifact = async (
  session: Session,
  request: { readonly id: string; readonly section?: string },
): Promise<Answer> => artefactAnswers.textAnswer(await texts.showText(session, request));

/** `rudder artifact edit` */
export async function editArtifact(session: Session, request: texts.EditRequest): Promise<Answer> {
  const { append, prepend, replace } = request;
  const given = await readTexts(session, { append, prepend, replace });
  return artefactAnswers.editedAnswer(await texts.editText(session, { ...request, ...given }), request.section);
}

/** `rudder artifact check|uncheck` */
export const checkBox = async (session: Session, request: texts.BoxRequest): Promise<Answer> =>
  artefactAnswers.boxAnswer(await texts.checkBox(session, request));

/** `rudder assign claim` */
export const claim = async (session: Session, request: leases.ClaimRequest): Promise<Answer> =>
  leaseAnswers.claimedAnswer(await leases.claim(session, request));

/** `rudder assign renew` */
export const renew = async (
  session: Session,
  request: { readonly id: string; readonly token?: number },
): Promise<Answer> => leaseAnswers.leaseAnswer(await leases.renew(session, request));

/** `rudder assign release` */
export const release = async (session: Session, request: leases.ReleaseRequest): Promise<Answer> =>
  leaseAnswers.releasedAnswer(await leases.release(session, request));

/** `rudder assign list` */
export const listLeases = async (session: Session): Promise<Answer> =>
  leaseAnswers.leasesAnswer(await leases.listLeases(session), session);

/** The words of `task log`: a level may be an option of its own. */
export async function log(
  session: Session,
  words: { readonly id: string; readonly message: string; readonly options: Readonly<Record<string, unknown>> },
): Promise<Answer> {
  const { options } = words;
  const { message = "", ...texts } = await readTexts(session, {
    message: words.message,
    snippet: options.snippet,
    command: options.command,
  });
  const files = Array.isArray(options.file) ? options.file.map(String) : undefined;
  return memoryAnswers.loggedAnswer(
    await addLine(session, {
      id: words.id,
      message,
      level: levelOf(options),
      files,
      ...texts,
    }),
  );
}

function levelOf(options: Readonly<Record<string, unknown>>): Level {
  const given = LEVELS.filter((level) => options[level] === true || options.level === level);
  const [level = "info"] = given;
  if (given.length < 2) return level;
  throw new RudderError("invalid_argument", `one level, not ${given.length}: ${given.join(", ")}`, {
    hint: "the most serious one will do",
  });
}

/** `rudder context load` */
export const loadContext = async (session: Session, request: ContextRequest): Promise<Answer> =>
  memoryAnswers.contextAnswer(await (await import("../../tasks/context.ts")).loadContext(session, request));

/** `rudder memory show` */
export const showMemory = async (session: Session, id: string): Promise<Answer> =>
  memoryAnswers.memoryAnswer(await memories.showMemory(session, id));

/** `rudder task show-memory` */
export const showTaskMemory = async (session: Session, id: string): Promise<Answer> =>
  memoryAnswers.memoryAnswer(await memories.showTaskMemory(session, id));

/** `rudder memory add` */
export async function addMemory(session: Session, request: memories.AddRequest): Promise<Answer> {
  const { text = "" } = await readTexts(session, { text: request.text });
  return memoryAnswers.rememberedAnswer((await memories.addMemory(session, { ...request, text })).id, text);
}

/** `rudder memory sync` */
export const syncMemory = async (session: Session, id: string | undefined): Promise<Answer> =>
  memoryAnswers.syncedAnswer(await memories.syncMemory(session, id));

/** `rudder status` */
export const status = async (session: Session): Promise<Answer> =>
  statusAnswer(await projectStatus(session), { columns: session.columns, haven: session.store.haven });

/** `rudder versions` */
export const versions = async (session: Session): Promise<Answer> =>
  versionsAnswer(await (await import("../../tasks/versions.ts")).versions(session));

/** `rudder task targets` */
export const targets = async (session: Session, id: string): Promise<Answer> =>
  targetsAnswer(await (await import("../../tasks/versions.ts")).targets(session, id));
