// rudder versions, and task targets: a task's own target versions beside the current ones.
import { parseId } from "../../ids.ts";
import { readVersions } from "../../versions/read-versions.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";
import { toTable } from "../table.ts";

export async function versions(session: Session): Promise<Answer> {
  const components = await readVersions(session.place.project, session);
  const rows = components.map((one) => [one.name, one.version ?? "?", one.isMain ? "main" : ""]);
  return {
    json: components.map((one) => ({ name: one.name, version: one.version ?? null, main: one.isMain })),
    text: toTable(["COMPONENT", "VERSION", ""], rows) || "no components.yaml and no package.json here",
    notes: components.flatMap((one) => (one.problem === undefined ? [] : [one.problem])),
  };
}

export async function targets(session: Session, text: string): Promise<Answer> {
  const id = parseId(text, { kinds: ["task"], digits: session.store.digits });
  const { artefact } = await session.store.artefact(id);
  const components = await readVersions(session.place.project, session);
  const current = (name: string): string | undefined => components.find((one) => one.name === name)?.version;
  const wanted = Object.entries(artefact.targets).map(([component, target]) => ({
    component,
    current: current(component) ?? null,
    target,
  }));
  const rows = wanted.map((one) => [one.component, one.current ?? "?", one.target]);
  return {
    json: { id, targets: wanted },
    text: toTable(["COMPONENT", "CURRENT", "TARGET"], rows) || `${id} has no target versions`,
  };
}
