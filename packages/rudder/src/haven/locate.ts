// Which project this is, and where its haven lies (RU-01, RU-19, X-64): by the id in `.sailing/haven`, else by the
// hashes that older havens are named by. A haven that is found so is adopted: its name becomes the project's id.
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeOf } from "@jeeves/base";
import type { Database } from "@jeeves/state";
import { isRepository } from "@jeeves/workspace";
import { RudderError } from "../rudder-error.ts";
import { originOf } from "./place/git-origin.ts";
import { hasSettings, havenIdPath, olderHavenId, readHavenId, writeHavenId } from "./place/haven-id.ts";
import { type Membership, noteMember, requireMember } from "./place/members.ts";
import { findByOrigin, havenDatabase, joinSharedHaven, originNameOf, readSharedNote } from "./place/shared-haven.ts";

/** A project and its haven. */
export interface Place {
  readonly project: string;
  /** X-64: the haven's id; before `init`, RU-19's hash. */
  readonly projectHash: string;
  readonly haven: string;
  /** The project has an id, or its haven was named by RUDDER_HAVEN: `init` need not make one up. */
  readonly isNamed?: boolean;
}

/** Where a command runs, and what names its project and its haven. */
export interface LocateOptions {
  readonly cwd: string;
  /** The project's directory; default: the nearest one at or above `cwd` with `.sailing/` or `.git`. */
  readonly root?: string | undefined;
  /** RUDDER_HAVEN: wins over everything. */
  readonly haven?: string | undefined;
  /** HOME, where `.sailing/havens` is. */
  readonly home?: string | undefined;
  /** What git is asked in; default: this process' own. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the project and the haven of a command that runs in `cwd`; the haven need not exist yet. Writes only where it
 * adopts an older haven, or makes this machine's directory of a haven that is in a database. Throws `invalid_argument`
 * where `root` is no directory, and `denied` where the haven belongs to another project.
 */
export async function locate(options: LocateOptions): Promise<Place> {
  const place = await locateHere(options);
  const database = havenDatabase(options.env ?? process.env);
  if (database === undefined) return place;
  const shared = { ...place, projectHash: readSharedNote(place.haven)?.id ?? place.projectHash };
  const found = place.isNamed === true ? undefined : await findShared(shared, database);
  const own = found ?? shared;
  await joinSharedHaven({ project: own.project, haven: own.haven, id: own.projectHash }, database);
  return own;
}

/** A project without an id whose remote belongs to a haven of the database: its id becomes the project's. */
async function findShared(place: Place, database: Database): Promise<Place | undefined> {
  const origin = await originNameOf(place.project);
  const id = origin === undefined ? undefined : await findByOrigin(database, origin).catch(() => undefined);
  if (id === undefined) return undefined;
  if (hasSettings(place.project)) writeHavenId(place.project, id);
  return { project: place.project, haven: join(dirname(place.haven), id), projectHash: id, isNamed: true };
}

/**
 * The same place, or the haven that `rudder init` has made for the project since: a server outlives the answer that there
 * is none.
 */
export async function locateAgain(place: Place, env: NodeJS.ProcessEnv): Promise<Place> {
  if (place.isNamed !== false || !existsSync(havenIdPath(place.project))) return place;
  return locate({ cwd: place.project, root: place.project, home: env.HOME, env });
}

async function locateHere(options: LocateOptions): Promise<Place> {
  const home = homeOf({ HOME: options.home });
  const project =
    options.root === undefined ? await findProject(options.cwd, home) : namedProject(options.root, options.cwd);
  const named = options.haven === undefined || options.haven === "" ? undefined : resolve(options.cwd, options.haven);
  if (named !== undefined) return { project, haven: named, projectHash: await hashOf(project, options), isNamed: true };
  const havens = join(home, ".sailing", "havens");
  const id = readHavenId(project);
  if (id !== undefined) {
    const haven = join(havens, id);
    await requireMember({ project, haven, id }, options);
    return { project, haven, projectHash: id, isNamed: true };
  }
  const origin = await originOf(project, options);
  const older = [origin, project].filter((text) => text !== undefined).map(olderHavenId);
  for (const name of older) {
    const haven = join(havens, name);
    if (existsSync(haven) && (await isMember({ project, haven, id: name }, options))) {
      return adopt({ project, haven, projectHash: name }, options);
    }
  }
  // The name by which it would be found; another one where a project that was moved away has it as its id.
  const free = [...older, olderHavenId(`new ${project}`)].find((name) => !existsSync(join(havens, name)));
  const projectHash = free ?? olderHavenId(`none ${project}`);
  return { project, haven: join(havens, projectHash), projectHash, isNamed: false };
}

async function isMember(own: Membership, options: LocateOptions): Promise<boolean> {
  try {
    await requireMember(own, options);
    return true;
  } catch (error) {
    if (error instanceof RudderError && error.code === "denied") return false;
    throw error;
  }
}

/** An older haven's name becomes the id, so that a change of the remote loses nothing; where it cannot, it is found again. */
async function adopt(place: Place, options: LocateOptions): Promise<Place> {
  if (!hasSettings(place.project)) return { ...place, isNamed: true };
  try {
    writeHavenId(place.project, place.projectHash);
    await noteMember(place.haven, place.project, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof RudderError) throw error;
  }
  return { ...place, isNamed: true };
}

async function hashOf(project: string, options: LocateOptions): Promise<string> {
  try {
    const id = readHavenId(project);
    if (id !== undefined) return id;
  } catch {
    // The user has named the haven: what is in the file of the project does not matter.
  }
  return olderHavenId((await originOf(project, options)) ?? project);
}

function namedProject(root: string, cwd: string): string {
  const path = resolve(cwd, root);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch {
    // Said below, with the same words as for a file.
  }
  throw new RudderError("invalid_argument", `${path} is no directory`, {
    hint: "--root (or SAILING_PROJECT) names the project's own directory",
  });
}

/**
 * The nearest directory above that has `.sailing/`, within the repository and below the user's home: a stray one further
 * up, or another user's in /tmp, must not swallow every project below it. A worktree (`.git` is a file there) belongs to a
 * project above it, if there is one.
 */
async function findProject(cwd: string, home: string): Promise<string> {
  const start = realpathSync(cwd);
  const owner = statSync(start).uid;
  const realHome = existsSync(home) ? realpathSync(home) : home;
  let worktree: string | undefined;
  for (let dir = start; ; dir = dirname(dir)) {
    // Every haven lies in ~/.sailing: that does not make the home a project.
    if (dir === realHome) return worktree ?? start;
    const settings = statSync(join(dir, ".sailing"), { throwIfNoEntry: false });
    if (settings !== undefined && [owner, process.geteuid?.()].includes(settings.uid)) return dir;
    const git = join(dir, ".git");
    if (await isRepository(git, owner)) {
      if (statSync(git, { throwIfNoEntry: false })?.isDirectory() === true) return worktree ?? dir;
      worktree ??= dir;
    }
    if (dirname(dir) === dir) return worktree ?? start;
  }
}
