// rudder haven move: from files into the database, and back.
import { type Database, openDatabase } from "@jeeves/state";
import type { Answer } from "../../answers/answer.ts";
import type { Moved } from "../../haven/move/move-haven.ts";
import { havenDatabase, readSharedNote } from "../../haven/place/shared-haven.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import type { Session } from "../session.ts";

/** `--to postgres` names the database of the environment, `--to postgres://…` another one. */
export async function moveHaven(session: Session, { to }: { readonly to: string }): Promise<Answer> {
  if (session.isServed) {
    throw new RudderError("denied", "a haven is moved by a person on a terminal", { hint: "run it there" });
  }
  const { place, env } = session;
  const { moveToDatabase, moveToFiles } = await import("../../haven/move/move-haven.ts");
  if (to === "files") {
    const database = havenDatabase(env);
    if (database === undefined && readSharedNote(place.haven) !== undefined) throw needsUrl();
    if (database === undefined)
      return answerOf({ artefacts: 0, lines: 0, changes: 0, wasThere: true }, place.haven, []);
    return answerOf(await moveToFiles(place, database), place.haven, [
      "unset JEEVES_DATABASE_URL where you work on this haven: its data are here now",
    ]);
  }
  const database = to === "postgres" ? havenDatabase(env) : openNamed(to);
  if (database === undefined) throw needsUrl();
  try {
    const moved = await moveToDatabase(place, database);
    const isSet = env.JEEVES_DATABASE_URL !== undefined && env.JEEVES_DATABASE_URL !== "";
    const notes = isSet ? [] : ["set JEEVES_DATABASE_URL on every machine that works on this haven"];
    return answerOf(moved, database.shown, [
      ...notes,
      "a server that ran for it must be started again: rudder mcp stop",
    ]);
  } finally {
    if (to !== "postgres") await database.close();
  }
}

function openNamed(url: string): Database {
  if (!/^postgres(?:ql)?:/.test(url)) {
    throw new RudderError("invalid_argument", "--to names no place for a haven", {
      hint: "one of: postgres (the database of JEEVES_DATABASE_URL), postgres://…, files",
    });
  }
  try {
    return openDatabase(url);
  } catch (error) {
    throw toRudderError(error, "--to");
  }
}

function needsUrl(): RudderError {
  return new RudderError("invalid_argument", "JEEVES_DATABASE_URL is not set", {
    hint: "set it to the database, like postgres://USER:PASSWORD@HOST:5432/DATABASE",
  });
}

function answerOf(moved: Moved, where: string, notes: readonly string[]): Answer {
  const words = moved.wasThere
    ? `the haven is in ${where}: nothing left to do`
    : `${moved.artefacts} artefacts, ${moved.lines} log lines and ${moved.changes} changes are in ${where}`;
  return { json: { ...moved, where }, text: words, notes };
}
