// A haven that is in a database has a directory on each machine all the same: for sockets, agents' files and the note
// that tells where its data are. The note keeps a command without JEEVES_DATABASE_URL from starting a second haven
// beside the shared one, and a move from being half done.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { type Database, DatabaseError, projectNamesOf, sharedDatabase, writeFileAtomic } from "@jeeves/state";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import { readIfThere } from "../files/read-if-there.ts";
import { makeDirs } from "../make-haven.ts";
import { havenIdPath } from "./haven-id.ts";

/** Where the data of a haven are, as its directory notes it. */
export interface SharedNote {
  readonly id: string;
  /** The database, without what is secret. */
  readonly database: string;
  /** While it is moved nothing is written, here or there. */
  readonly state: "shared" | "moving-there" | "moving-here";
  readonly move?: string;
}

/** The file of the note. */
export function sharedNotePath(haven: string): string {
  return join(haven, "database.json");
}

/** The note of a haven's directory; undefined where its data are in files. */
export function readSharedNote(haven: string): SharedNote | undefined {
  const path = sharedNotePath(haven);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value.id === "string" && typeof value.database === "string") {
      const state = (["moving-there", "moving-here"] as const).find((one) => one === value.state) ?? "shared";
      const move = typeof value.move === "string" ? { move: value.move } : {};
      return { id: value.id, database: value.database, state, ...move };
    }
  } catch {
    // Said below.
  }
  throw new RudderError("broken_state", `${path} is no note of a shared haven`, {
    hint: "restore it, or delete it if this haven's data are in files here",
    details: { path },
  });
}

/** Writes the note. */
export async function writeSharedNote(haven: string, note: SharedNote): Promise<void> {
  makeDirs(haven);
  await writeFileAtomic(sharedNotePath(haven), `${JSON.stringify(note, null, 2)}\n`);
}

/** Refuses files whose haven is in a database. */
export function refuseShared(haven: string): void {
  if (!existsSync(sharedNotePath(haven))) return;
  const note = readSharedNote(haven);
  if (note === undefined) return;
  const isMoving = note.state !== "shared";
  throw new RudderError(
    "no_haven",
    `the haven ${note.id} is ${isMoving ? "being moved" : "in a database"}: ${note.database}`,
    {
      hint: isMoving
        ? `finish it with JEEVES_DATABASE_URL set: rudder haven move --to ${note.state === "moving-there" ? "postgres" : "files"}`
        : "set JEEVES_DATABASE_URL to it; or bring the haven back to this machine: rudder haven move --to files",
      details: { haven, database: note.database, state: note.state },
    },
  );
}

/**
 * The database that holds havens in this environment; undefined where they are in files. Throws `invalid_argument`
 * where JEEVES_DATABASE_URL is no such URL.
 */
export function havenDatabase(env: NodeJS.ProcessEnv): Database | undefined {
  try {
    return sharedDatabase(env);
  } catch (error) {
    throw toRudderError(error, "JEEVES_DATABASE_URL");
  }
}

/** A project that names a haven of the database. */
interface SharedPlace {
  readonly project: string;
  readonly haven: string;
  readonly id: string;
}

/**
 * Makes this machine's directory of a haven that the database has, for a project that may use it: a clone of one that is
 * known there, by its remote. Nothing where the database has no such haven.
 */
export async function joinSharedHaven(place: SharedPlace, database: Database): Promise<void> {
  const note = readSharedNote(place.haven);
  if (note !== undefined || existsSync(join(place.haven, "artefacts"))) return;
  try {
    const origins = await readOrigins(database, place.id);
    if (origins === undefined) return;
    const origin = await originNameOf(place.project);
    if (origins.length > 0 && (origin === undefined || !origins.includes(origin))) throw sharedByOthers(place, origins);
    if (origins.length === 0 && origin !== undefined) await addOrigin(database, place.id, origin);
    await writeSharedNote(place.haven, { id: place.id, database: database.shown, state: "shared" });
  } catch (error) {
    throw toRudderError(error, database.shown);
  }
}

/** The remote of a project as every machine calls it. */
export async function originNameOf(project: string): Promise<string | undefined> {
  return (await projectNamesOf(project)).find((name) => name.startsWith("git:"));
}

/** The remotes of a haven's projects; undefined where the database has no such haven. */
async function readOrigins(database: Database, id: string): Promise<readonly string[] | undefined> {
  try {
    const [row] = await database.query("SELECT origins FROM jeeves_havens WHERE id = $1", [id]);
    return row === undefined ? undefined : (row.origins as readonly string[]);
  } catch (error) {
    if (isWithoutTables(error)) return undefined;
    throw error;
  }
}

/** Notes a remote, so that clones with it belong to the haven. */
export async function addOrigin(database: Database, id: string, origin: string): Promise<void> {
  const text =
    "UPDATE jeeves_havens SET origins = origins || $2::text WHERE id = $1 AND NOT origins @> ARRAY[$2::text]";
  await database.query(text, [id, origin]);
}

/** The haven that a remote belongs to; undefined where there is none. */
export async function findByOrigin(database: Database, origin: string): Promise<string | undefined> {
  try {
    const text =
      "SELECT id FROM jeeves_havens WHERE origins @> ARRAY[$1::text] AND moved IS NULL ORDER BY made_at LIMIT 1";
    const [row] = await database.query(text, [origin]);
    return row === undefined ? undefined : String(row.id);
  } catch (error) {
    if (isWithoutTables(error)) return undefined;
    throw error;
  }
}

function isWithoutTables(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === "42P01";
}

function sharedByOthers({ project, haven, id }: SharedPlace, origins: readonly string[]): RudderError {
  const file = havenIdPath(project);
  return new RudderError("denied", `${file} names the haven ${id} of the database, which belongs to ${origins[0]}`, {
    hint: `if ${project} is a project of its own: delete ${file}, then run: rudder init; if both are one project, run here once: RUDDER_HAVEN=${haven} rudder init`,
    details: { origins, project, haven_id: id },
  });
}
