// A haven from files into the database, and back, with all its history. A note in its directory records what is under
// way, so that nothing is written meanwhile and a move that was killed is finished by the same command.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, relative } from "node:path";
import { type Database, migrate, withLock } from "@jeeves/state";
import { DEFAULT_DIGITS } from "../../ids.ts";
import { RudderError, toRudderError } from "../../rudder-error.ts";
import { requireHaven } from "../file-reader.ts";
import { agentPlaces } from "../files/agent-file.ts";
import { recover } from "../files/transaction.ts";
import { systemClock } from "../instant.ts";
import { layoutOf } from "../layout.ts";
import type { Place } from "../locate.ts";
import {
  originNameOf,
  readSharedNote,
  type SharedNote,
  sharedNotePath,
  writeSharedNote,
} from "../place/shared-haven.ts";
import { setAgentFileAside } from "../postgres/agents.ts";
import { HAVEN_SCHEMA } from "../postgres/haven-schema.ts";
import { movedAway, noHaven } from "../postgres/postgres-reader.ts";
import { readFileDump, writeFileDump } from "./file-dump.ts";
import { emptyPostgresHaven, readPostgresDump, writePostgresDump } from "./postgres-dump.ts";

/** Entries of a haven's directory that go along, beside the agents' records; sockets, locks and agents' files stay. */
const MOVED = ["artefacts", "archive", "memory", "runs", "assignments", "fences", "state.json"];
const LOCK_WAIT_MS = 30_000;

/** What was carried. */
export interface Moved {
  readonly artefacts: number;
  readonly lines: number;
  readonly changes: number;
  /** Nothing was to be done: it is there. */
  readonly wasThere: boolean;
}

/** For tests: called where a kill would leave a move half done. */
type MoveCrash = (at: "noted" | "copied") => void;

/** Carries a haven into the database; the files stay beside it, out of the way. */
export async function moveToDatabase(place: Place, database: Database, crash: MoveCrash = () => {}): Promise<Moved> {
  const { haven, projectHash: id } = place;
  const layout = layoutOf(haven);
  try {
    const before = readSharedNote(haven);
    if (before?.state === "shared") return { artefacts: 0, lines: 0, changes: 0, wasThere: true };
    if (before?.state === "moving-here") throw otherWay(before, "files");
    if (before === undefined) requireHaven(layout);
    await migrate(database, HAVEN_SCHEMA);
    const move = before?.move ?? randomUUID();
    const note: SharedNote = { id, database: database.shown, state: "moving-there", move };
    await withLock(
      layout.lock,
      async () => {
        recover(haven, layout.journal);
        await writeSharedNote(haven, note);
      },
      { waitMs: LOCK_WAIT_MS },
    );
    crash("noted");
    const moved = await copyThere(place, database, move).catch(async (error: unknown) => {
      // Refused, and nothing is there: the files go on as before.
      if (error instanceof RudderError) rmSync(sharedNotePath(haven), { force: true });
      throw error;
    });
    crash("copied");
    for (const { path } of agentPlaces({ layout, digits: DEFAULT_DIGITS })) setAgentFileAside(path);
    const aside = join(haven, `before-database-${move.slice(0, 8)}`);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    for (const name of MOVED) {
      if (existsSync(join(haven, name))) renameSync(join(haven, name), join(aside, name));
    }
    await writeSharedNote(haven, { id, database: database.shown, state: "shared" });
    return moved;
  } catch (error) {
    throw toRudderError(error, database.shown);
  }
}

async function copyThere(place: Place, database: Database, move: string): Promise<Moved> {
  const { haven, project, projectHash: id } = place;
  const origin = await originNameOf(project);
  return database.transaction(async (connection) => {
    await connection.query("INSERT INTO jeeves_havens (id, origins) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", [
      id,
      origin === undefined ? [] : [origin],
    ]);
    const text = "SELECT seq, moved, move_id FROM jeeves_havens WHERE id = $1 FOR UPDATE";
    const [row] = await connection.query(text, [id]);
    if (row?.move_id === move) return { artefacts: 0, lines: 0, changes: 0, wasThere: true };
    const isOurs = row?.move_id === null && Number(row.seq) === 0;
    if (row?.moved === null && !isOurs) {
      throw new RudderError("not_empty", `the database has a haven ${id} already, with work of its own`, {
        hint: "bring one of the two over by hand: rudder export, then rudder import --merge with JEEVES_DATABASE_URL set",
        details: { haven: id },
      });
    }
    await emptyPostgresHaven(connection, id);
    const dump = readFileDump(haven);
    await writePostgresDump(connection, id, dump, systemClock());
    await connection.query("UPDATE jeeves_havens SET moved = NULL, move_id = $2 WHERE id = $1", [id, move]);
    return toMoved(dump);
  });
}

/** Carries a haven from the database into this machine's files; other machines learn where it went. */
export async function moveToFiles(place: Place, database: Database, crash: MoveCrash = () => {}): Promise<Moved> {
  const { haven, projectHash: id } = place;
  try {
    const before = readSharedNote(haven);
    if (before === undefined) {
      requireHaven(layoutOf(haven));
      return { artefacts: 0, lines: 0, changes: 0, wasThere: true };
    }
    if (before.state === "moving-there") throw otherWay(before, "postgres");
    const move = before.move ?? randomUUID();
    await writeSharedNote(haven, { id, database: database.shown, state: "moving-here", move });
    const now = systemClock();
    const dump = await database.transaction(async (connection) => {
      const text = "SELECT moved, move_id FROM jeeves_havens WHERE id = $1 FOR UPDATE";
      const [row] = await connection.query(text, [id]);
      if (row === undefined || (row.moved !== null && row.move_id !== move)) {
        rmSync(sharedNotePath(haven), { force: true });
        throw row === undefined ? noHaven(id) : movedAway(id, String(row.moved));
      }
      const where = `files on ${hostname()}: ${haven}`;
      await connection.query("UPDATE jeeves_havens SET moved = $2, move_id = $3 WHERE id = $1", [id, where, move]);
      return readPostgresDump(connection, id, now);
    });
    crash("noted");
    const staged = join(haven, `.move-${move.slice(0, 8)}`);
    rmSync(staged, { recursive: true, force: true });
    writeFileDump(staged, dump, now);
    crash("copied");
    // Not the whole directory: what else is there (logs, worktrees' settings, sockets) is this machine's.
    for (const { path } of agentPlaces({ layout: layoutOf(staged), digits: DEFAULT_DIGITS })) {
      const to = join(haven, relative(staged, path));
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      renameSync(path, to);
    }
    rmSync(join(staged, "agents"), { recursive: true, force: true });
    for (const name of readdirSync(staged)) {
      rmSync(join(haven, name), { recursive: true, force: true });
      renameSync(join(staged, name), join(haven, name));
    }
    rmSync(staged, { recursive: true, force: true });
    rmSync(sharedNotePath(haven), { force: true });
    return toMoved(dump);
  } catch (error) {
    throw toRudderError(error, database.shown);
  }
}

function toMoved({ artefacts, lines, changes }: ReturnType<typeof readFileDump>): Moved {
  return { artefacts: artefacts.length, lines: lines.length, changes: changes.length, wasThere: false };
}

function otherWay(note: SharedNote, to: string): RudderError {
  return new RudderError("busy", `the haven ${note.id} is being moved the other way`, {
    hint: `finish that first: rudder haven move --to ${to}`,
  });
}
