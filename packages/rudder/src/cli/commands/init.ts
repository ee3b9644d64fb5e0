// rudder init: the haven, and the project's own settings. Doing it again changes nothing and says so.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "@jeeves/state";
import { makeDirs, makeHaven } from "../../haven/make-haven.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";

const CONFIG = `# Settings of rudder for this project.
ids:
  prd_digits: 3
  epic_digits: 3
  task_digits: 3
  story_digits: 3
`;

export async function init({ place }: Session): Promise<Answer> {
  const made = [...(await makeHaven(place.haven))];
  const notes: string[] = [];
  const config = join(place.project, ".sailing", "config.yaml");
  if (!existsSync(config)) {
    try {
      makeDirs(join(place.project, ".sailing"));
      await writeFileAtomic(config, CONFIG, { mode: 0o644 });
      made.push(config);
    } catch {
      notes.push(`${config} could not be written; the haven works without it`);
    }
  }
  const words = made.length === 0 ? "nothing to do" : `${made.length} files and directories made`;
  return {
    json: { haven: place.haven, project: place.project, project_hash: place.projectHash, made },
    text: `haven    ${place.haven}\nproject  ${place.project}\n${words}\nnext: rudder prd create "What it is for"`,
    notes,
  };
}
