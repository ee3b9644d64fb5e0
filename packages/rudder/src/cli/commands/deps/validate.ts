// rudder deps validate: every finding with its file; --fix takes out the blockers that cannot mean anything.
import { editFront, type FrontEdit } from "../../../artefact/edit-front-matter.ts";
import { type Finding, validate } from "../../../graph/validate.ts";
import { normaliseId } from "../../../ids.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";
import { toTable } from "../../table.ts";

export async function validateHaven(session: Session, options: { readonly fix?: boolean }): Promise<Answer> {
  const { store } = session;
  let fixed: readonly Finding[] = [];
  if (options.fix === true) {
    fixed = await store.change(
      async (step) => {
        const removable = validate(await step.snapshot()).filter((finding) => finding.removable !== undefined);
        for (const { id, removable: blocker } of removable) {
          const stored = await step.artefact(id);
          const matches = (item: string): boolean => normaliseId(item, store.digits) === blocker;
          const edit: FrontEdit = { kind: "remove", field: "blocked_by", matches };
          await step.writeArtefact(stored, editFront(stored.text, [edit], stored.path));
        }
        return removable;
      },
      { signal: session.signal },
    );
  }
  const findings = validate(await store.snapshot());
  const rows = findings.map((one) => [
    one.code,
    `${one.path}${one.line === undefined ? "" : `:${one.line}`}`,
    one.message,
  ]);
  const repaired = fixed.map((one) => `fixed: ${one.message}`).join("\n");
  const table = toTable(["FINDING", "FILE", "WHAT"], rows) || "everything is in order";
  return {
    json: { findings: findings.map(toJson), fixed: fixed.map(toJson) },
    text: repaired === "" ? table : `${repaired}\n${table}`,
  };
}

function toJson(finding: Finding): Record<string, unknown> {
  return {
    code: finding.code,
    id: finding.id,
    path: finding.path,
    line: finding.line ?? null,
    message: finding.message,
  };
}
