// The current versions, and a task's own target versions beside them.
import { parseId } from "../ids.ts";
import { type Component, readVersions } from "../versions/read-versions.ts";
import type { TaskSession } from "./session.ts";

/** Every component with its version. */
export function versions(session: TaskSession): Promise<readonly Component[]> {
  return readVersions(session.place.project, session);
}

/** What a task aims at. */
export interface Targets {
  readonly id: string;
  readonly targets: readonly { readonly component: string; readonly current: string | null; readonly target: string }[];
}

/** The target versions of one task. */
export async function targets(session: TaskSession, text: string): Promise<Targets> {
  const id = parseId(text, { kinds: ["task"], digits: session.store.digits });
  const { artefact } = await session.store.artefact(id);
  const components = await readVersions(session.place.project, session);
  const current = (name: string): string | null => components.find((one) => one.name === name)?.version ?? null;
  return {
    id,
    targets: Object.entries(artefact.targets).map(([component, target]) => ({
      component,
      current: current(component),
      target,
    })),
  };
}
