// Which projects a haven serves: `projects.json` in the haven. An id is a text in a project's own files, and anyone can
// copy it; so a project that names a haven must be known there, or be a clone, a worktree or the new place of one that is.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { RudderError } from "../../rudder-error.ts";
import { readIfThere } from "../files/read-if-there.ts";
import { type AskGit, originOf, repositoryOf } from "./git-origin.ts";
import { havenIdPath, readHavenId } from "./haven-id.ts";

const MAX_MEMBERS = 100;

interface Member {
  readonly path: string;
  /** As it was when the project was noted; of a project that is still there git is asked again. */
  readonly origin: string | null;
}

/** A project, the haven that its id names, and that id. */
export interface Membership {
  readonly project: string;
  readonly haven: string;
  readonly id: string;
}

/** Throws where the haven belongs to another project; notes a project that belongs to it and is not known yet. */
export async function requireMember(own: Membership, options: AskGit): Promise<void> {
  if (!existsSync(own.haven)) return;
  const members = readMembers(own.haven);
  if (members.length === 0) return noteMember(own.haven, own.project, options);
  if (members.some(({ path }) => path === own.project)) return;
  const repository = await repositoryOf(own.project, options);
  const origin = await originOf(own.project, options);
  const there = members.filter(({ path }) => isThere(path, own.id));
  for (const { path } of there) {
    if (repository !== undefined && repository === (await repositoryOf(path, options))) return; // one of its worktrees
    if (origin !== undefined && (origin === path || origin === (await originOf(path, options)))) {
      return noteMember(own.haven, own.project, options);
    }
  }
  // One of them is gone: it was moved here. Unless this one comes from elsewhere, too: then it may be another project.
  const isOne = (one: Member): boolean => one.origin === null || origin === undefined || one.origin === origin;
  const moved = members.find((one) => !there.includes(one) && isOne(one));
  if (moved !== undefined) return noteMember(own.haven, own.project, { ...options, instead: moved.path });
  throw sharedBy(own, there[0]?.path ?? members[0]?.path ?? "another project");
}

/** Notes a project, best effort: a haven that cannot be written serves all the same. */
export async function noteMember(
  haven: string,
  project: string,
  options: AskGit & { readonly instead?: string },
): Promise<void> {
  try {
    const origin = (await originOf(project, options)) ?? null;
    const others = readMembers(haven).filter(({ path }) => path !== project && path !== options.instead);
    const projects = [...others, { path: project, origin }].slice(-MAX_MEMBERS);
    await writeFileAtomic(membersPath(haven), `${JSON.stringify({ projects }, null, 2)}\n`);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof RudderError) throw error;
  }
}

function membersPath(haven: string): string {
  return join(haven, "projects.json");
}

/** None where the file is missing or damaged: then the next project is noted anew. */
function readMembers(haven: string): readonly Member[] {
  let value: unknown;
  try {
    value = JSON.parse(readIfThere(membersPath(haven)) ?? "");
  } catch {
    return [];
  }
  const listed = isRecord(value) && Array.isArray(value.projects) ? value.projects : [];
  return listed.filter(isRecord).flatMap(({ path, origin }) => {
    return typeof path === "string" ? [{ path, origin: typeof origin === "string" ? origin : null }] : [];
  });
}

/** A project that still names this haven where it was. */
function isThere(project: string, id: string): boolean {
  try {
    return readHavenId(project) === id;
  } catch {
    return false;
  }
}

function sharedBy(own: Membership, other: string): RudderError {
  const file = havenIdPath(own.project);
  return new RudderError("denied", `${file} names the haven ${own.id}, which belongs to ${other}`, {
    hint: `if ${own.project} is a project of its own: delete ${file}, then run: rudder init; if both are one project, run here once: RUDDER_HAVEN=${own.haven} rudder init`,
    details: { projects: [other, own.project], haven: own.haven, haven_id: own.id },
  });
}
