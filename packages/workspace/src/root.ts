// The directory that all access is limited to. A path is first checked as written, then again with its
// symlinks resolved; nothing is opened here.

import { readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { currentDir } from "./current-dir.ts";
import { invalidPath, toFileError, WorkspaceError } from "./workspace-error.ts";

/** No system that we run on opens a longer path. Each directory above a missing one is looked at, so it must have an end. */
export const MAX_PATH_CHARS = 4_096;

/** A directory that nothing may be read outside of. */
export interface Root {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /** Absolute, as it was given: people and models may name files by it, too. */
  readonly alias?: string;
}

/** Opens a directory as a root. Rejects with a WorkspaceError where it is none. */
export async function openRoot(dir: string): Promise<Root> {
  if (dir.includes("\0")) throw badRoot(dir, "holds a NUL");
  let alias: string;
  let path: string;
  try {
    alias = isAbsolute(dir) ? resolve(dir) : resolve(currentDir(), dir);
    path = await realpath(alias);
    if (!(await stat(path)).isDirectory()) throw badRoot(dir, "is not a directory");
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    throw badRoot(dir, `cannot be used (${systemCodeOf(error) ?? String(error)})`);
  }
  return { path, alias };
}

/** Whether a path is inside as written; a symlink may still lead out. */
export function isInsideLexically(root: string | Root, path: string): boolean {
  if (path.includes("\0")) return false;
  if (typeof root === "string") return isWithin(resolve(root), resolve(root, path));
  return toLexicalPath(root, path) !== undefined;
}

/** Absolute and below `root.path`; undefined where the path as written leads out. */
function toLexicalPath(root: Root, path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  const absolute = resolve(root.path, path);
  if (isWithin(root.path, absolute)) return absolute;
  if (root.alias !== undefined && isAbsolute(path) && isWithin(root.alias, absolute)) {
    return resolve(root.path, relative(root.alias, absolute));
  }
  return undefined;
}

interface ResolvedPath {
  /** Below the root, as named. */
  readonly lexical: string;
  /** Below the root, symlinks followed. */
  readonly real: string;
}

/** Both forms of a path that exists inside the root; throws `WorkspaceError`. */
export async function resolveInside(root: Root, path: string): Promise<ResolvedPath> {
  const lexical = lexicalOrThrow(root, path);
  let real: string;
  try {
    real = await realpath(lexical);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") await refuseMissingOutside(root, { lexical, path });
    throw toFileError(error, path);
  }
  if (!isWithin(root.path, real)) throw outside(path);
  return { lexical, real };
}

/** As resolveInside, for a path that may be missing: then its nearest existing ancestor must be inside. */
export async function resolveMaybeMissing(
  root: Root,
  path: string,
): Promise<ResolvedPath | { readonly lexical: string }> {
  try {
    return await resolveInside(root, path);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return { lexical: lexicalOrThrow(root, path) };
    throw error;
  }
}

/** The path relative to the root, with `/`, without `./`; the root itself is ".". */
export function toRelative(root: Root, absolute: string): string {
  const found = relative(root.path, absolute);
  return found === "" ? "." : found.split(sep).join("/");
}

function lexicalOrThrow(root: Root, path: string): string {
  if (path.length > MAX_PATH_CHARS) throw invalidPath(`a path of ${path.length} characters`, "is too long");
  const lexical = toLexicalPath(root, path);
  if (lexical === undefined) throw outside(path);
  return lexical;
}

/** Throws for a missing path whose real place is outside the root, so that the error does not reveal what exists there. */
async function refuseMissingOutside(
  root: Root,
  missing: { readonly lexical: string; readonly path: string },
): Promise<void> {
  const target = await readlink(missing.lexical).catch(() => undefined);
  if (target !== undefined && !isWithin(root.path, resolve(dirname(missing.lexical), target)))
    throw outside(missing.path);
  for (let dir = dirname(missing.lexical); isWithin(root.path, dir) && dir !== root.path; dir = dirname(dir)) {
    const real = await realpath(dir).catch(() => undefined);
    if (real === undefined) continue;
    if (!isWithin(root.path, real)) throw outside(missing.path);
    return;
  }
}

function isWithin(root: string, path: string): boolean {
  if (path === root) return true;
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): WorkspaceError {
  return invalidPath(path.replaceAll("\0", "\\0"), "is outside the root");
}

function badRoot(dir: string, what: string): WorkspaceError {
  return new WorkspaceError("invalid_path", `the root ${dir.replaceAll("\0", "\\0")} ${what}`, {
    hint: "name an existing directory",
  });
}
