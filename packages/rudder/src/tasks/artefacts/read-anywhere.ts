// One artefact for those who only read: archived work is shown as live work is.
import type { HavenReader, StoredArtefact } from "../../haven/store.ts";
import { RudderError } from "../../rudder-error.ts";

/** The artefact, live or archived; throws where neither has it. */
export function readAnywhere(view: HavenReader, id: string): Promise<StoredArtefact> {
  return view.artefact(id).catch(async (error: unknown) => {
    const archived = error instanceof RudderError && error.code === "archived" ? await view.archived(id) : undefined;
    if (archived === undefined) throw error;
    return archived;
  });
}
