// The id of a project's haven, in `.sailing/haven`. The file is committed with the project, so its text is
// untrusted: an id, or refused by name. RU-19's hashes only find havens that were made before there were ids.
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneLine, systemCodeOf } from "@jeeves/base";
import { RudderError } from "../../rudder-error.ts";
import { makeDirs } from "../make-haven.ts";

const ID = /^[0-9a-f]{12,32}$/;
/** Enough to see that a file holds more than an id. */
const MAX_BYTES = 64;
/** A new id has 12 digits: a socket's path has at most 107 bytes, and the id is in it. */
const NEW_ID_BYTES = 6;

/** Where a project keeps the id of its haven. */
export function havenIdPath(project: string): string {
  return join(project, ".sailing", "haven");
}

/** Undefined where the project has none; throws where the file holds something else. */
export function readHavenId(project: string): string | undefined {
  const path = havenIdPath(project);
  const text = readStart(path);
  if (text === undefined) return undefined;
  const id = text.trim();
  if (ID.test(id)) return id;
  const shown = JSON.stringify(oneLine(id).slice(0, 40));
  throw new RudderError("broken_state", `${path} holds ${shown}, which is no haven id`, {
    hint: "an id is 12 to 32 of the signs 0-9 a-f; restore the file, or delete it and run: rudder init (an older haven is found again)",
    details: { path },
  });
}

/** Not through a link, and not from a pipe: the file comes with the project, so its content is untrusted. */
function readStart(path: string): string | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!fstatSync(descriptor).isFile()) return "(no plain file)";
      const buffer = Buffer.alloc(MAX_BYTES);
      return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, MAX_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return `(${code === "ELOOP" ? "a link" : (code ?? "unreadable")})`;
  }
}

/** A new id, or this one, written where there is none; of two that write at once both get the first one's. */
export function writeHavenId(project: string, id: string = randomBytes(NEW_ID_BYTES).toString("hex")): string {
  makeDirs(join(project, ".sailing"));
  try {
    writeFileSync(havenIdPath(project), `${id}\n`, { flag: "wx", mode: 0o644 });
    return id;
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    return readHavenId(project) ?? id;
  }
}

/** RU-19: the name of a haven that was made before there were ids. */
export function olderHavenId(originOrPath: string): string {
  return createHash("sha256").update(originOrPath).digest("hex").slice(0, 12);
}

/** True where a project was set up before: only there is an id written without being asked for. */
export function hasSettings(project: string): boolean {
  return lstatSync(join(project, ".sailing"), { throwIfNoEntry: false })?.isDirectory() === true;
}
