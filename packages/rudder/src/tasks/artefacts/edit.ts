// An artefact's whole text as a person edits it: taken out, and written back if no one else has changed it meanwhile.
import { requireUtf8 } from "../../artefact/require-utf8.ts";
import { kindOf, parseId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import { commandTask } from "../change-task.ts";
import { changeOptions, requireForce, type TaskSession } from "../session.ts";

/** A text that was taken out. */
interface CheckedOut {
  readonly id: string;
  /** Relative to the haven. */
  readonly path: string;
  readonly text: string;
}

/** The text of an artefact of any kind. */
export async function checkOut(session: TaskSession, text: string): Promise<CheckedOut> {
  const kinds = ["prd", "epic", "task", "story"] as const;
  const id = parseId(text, { kinds, digits: session.store.digits });
  const stored = await session.store.artefact(id);
  requireUtf8(stored.bytes, stored.path);
  return { id, path: stored.path, text: stored.text };
}

/** Writes a text back; refused where the artefact has another text by now than the one that was taken out. */
export async function writeBack(
  session: TaskSession,
  out: CheckedOut,
  request: { readonly text: string; readonly force?: boolean | undefined },
): Promise<readonly string[]> {
  const { store } = session;
  const by = session.caller;
  const force = requireForce(session, request.force);
  const requireSame = (text: string): void => {
    if (text !== out.text) throw changedMeanwhile(out);
  };
  if (kindOf(out.id) === "task") {
    await commandTask(session, {
      taskId: out.id,
      command: { kind: "write", what: "edit", by, force },
      event: "edited",
      extra: (text) => {
        requireSame(text);
        return { value: undefined, text: request.text };
      },
    });
  } else {
    await store.change(async (step) => {
      const stored = await step.artefact(out.id);
      requireSame(stored.text);
      await step.writeArtefact(stored, request.text);
      step.audit({ event: "edited", taskId: out.id, by: by.name });
      return null;
    }, changeOptions(session));
  }
  return (await store.artefact(out.id)).artefact.problems.map(({ message }) => message);
}

function changedMeanwhile({ id }: CheckedOut): RudderError {
  return new RudderError("conflict", `${id} was changed by another while you edited it: yours is not written`, {
    hint: `look at both (rudder artifact show ${id}), and edit it again`,
    details: { id },
  });
}
