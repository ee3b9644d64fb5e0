// rudder init: the haven, its id, and the project's own settings. Running it again changes nothing.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, writeFileAtomic } from "@jeeves/state";
import type { Answer } from "../../answers/answer.ts";
import { layoutOf } from "../../haven/layout.ts";
import type { Place } from "../../haven/locate.ts";
import { makeDirs, makeHaven } from "../../haven/make-haven.ts";
import { havenIdPath, writeHavenId } from "../../haven/place/haven-id.ts";
import { noteMember } from "../../haven/place/members.ts";
import {
  addOrigin,
  findByOrigin,
  havenDatabase,
  originNameOf,
  readSharedNote,
  writeSharedNote,
} from "../../haven/place/shared-haven.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import type { Session } from "../session.ts";

const CONFIG = `# Settings of rudder for this project.
ids:
  prd_digits: 3
  epic_digits: 3
  task_digits: 3
  story_digits: 3
`;

/**
 * Makes what is missing, and lists it. Throws `not_empty` or `denied` where files or the database have another haven of
 * the project.
 */
export async function init({ place: found, env, signal }: Session): Promise<Answer> {
  const notes: string[] = [];
  const database = havenDatabase(env);
  const hadId = existsSync(havenIdPath(found.project));
  const needsId = found.isNamed === false || (database !== undefined && !hadId);
  const place = needsId ? withNewId(found, notes) : found;
  const made = [...(database === undefined ? await makeHaven(place.haven) : await makeSharedHaven(place, database))];
  if (!hadId && existsSync(havenIdPath(place.project))) made.push(havenIdPath(place.project));
  await noteMember(place.haven, place.project, { env, signal });
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

/** in the database, where other machines find it by its id or by the project's remote. */
async function makeSharedHaven(place: Place, database: Database): Promise<readonly string[]> {
  const { project, haven, projectHash: id } = place;
  if (readSharedNote(haven) === undefined && existsSync(layoutOf(haven).prds)) {
    throw new RudderError("not_empty", `the haven of ${project} is in files on this machine: ${haven}`, {
      hint: "move it to the database: rudder haven move --to postgres",
      details: { haven },
    });
  }
  const { makePostgresHaven } = await import("../../haven/postgres/make-postgres-haven.ts");
  try {
    const origin = await originNameOf(project);
    const other = origin === undefined ? undefined : await findByOrigin(database, origin);
    if (other !== undefined && other !== id) {
      throw new RudderError("denied", `${project} is known by two ids: ${id} here, and ${other} in the database`, {
        hint: `write ${other} into ${havenIdPath(project)} to use the haven that its remote ${origin} has there`,
        details: { ids: [id, other], origin },
      });
    }
    const isNew = await makePostgresHaven(database, id, { origin });
    if (!isNew && origin !== undefined) await addOrigin(database, id, origin);
    await writeSharedNote(haven, { id, database: database.shown, state: "shared" });
    return isNew ? [`${database.shown} ${id}`] : [];
  } catch (error) {
    throw toRudderError(error, database.shown);
  }
}

/** a new haven gets an id of its own, and adding or changing a git remote loses nothing. */
function withNewId(place: Place, notes: string[]): Place {
  try {
    const id = writeHavenId(place.project);
    return { ...place, projectHash: id, haven: join(dirname(place.haven), id) };
  } catch (error) {
    if (error instanceof RudderError) throw error;
    const path = havenIdPath(place.project);
    notes.push(`${path} could not be written: the haven is found by the git origin, or by the path, alone`);
    return place;
  }
}
