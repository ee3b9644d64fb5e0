// What a project is called where several machines must agree on it: its haven's id, its git remote, and its path
// on this machine. All that are known go along: a clone without an id, or one whose remote has changed, is still found.
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

const HAVEN = "haven:";
const GIT = "git:";
const DIR = "dir:";
const MAX_PARENTS = 100;
const MAX_FILE_BYTES = 1_000_000;
const KNOWN_MS = 30_000;
const MAX_KNOWN = 500;
const HAVEN_ID = /^[0-9a-f]{12,32}$/;

const known = new Map<string, { readonly atMs: number; readonly names: Promise<readonly string[]> }>();

/** The names of the project of a directory, the most widely valid first; remembered for 30 s. Never rejects. */
export function projectNamesOf(dir: string): Promise<readonly string[]> {
  const found = known.get(dir);
  if (found !== undefined && performance.now() - found.atMs < KNOWN_MS) return found.names;
  if (known.size >= MAX_KNOWN) known.clear();
  const names = readNames(dir);
  known.set(dir, { atMs: performance.now(), names });
  return names;
}

/** Whether a name holds on all machines; else it is a directory of one machine. */
export function isSharedName(name: string): boolean {
  return name.startsWith(HAVEN) || name.startsWith(GIT);
}

/** Names as this machine sees them: directories of its own as paths, those of other machines left out. */
export function toProjects(names: readonly string[]): readonly string[] {
  const own = dirName("");
  return names.flatMap((name) => {
    if (isSharedName(name)) return [name];
    return name.startsWith(own) ? [name.slice(own.length)] : [];
  });
}

function dirName(dir: string): string {
  return `${DIR}${hostname()}:${dir}`;
}

async function readNames(dir: string): Promise<readonly string[]> {
  const names = [dirName(dir)];
  const real = await realpath(dir).catch(() => undefined);
  if (real === undefined) return names;
  const repository = await findRepository(real);
  const remote = repository === undefined ? undefined : await readRemote(join(repository, ".git"));
  if (remote !== undefined) names.unshift(`${GIT}${remote}`);
  const id = await readHavenId(real, repository ?? real);
  if (id !== undefined) names.unshift(`${HAVEN}${id}`);
  return names;
}

async function findRepository(dir: string): Promise<string | undefined> {
  for (const each of dirsUpFrom(dir)) {
    if ((await lstat(join(each, ".git")).catch(() => undefined)) !== undefined) return each;
  }
  return undefined;
}

/** The file is committed with the project, so only a well-formed id counts. */
async function readHavenId(from: string, to: string): Promise<string | undefined> {
  for (const each of dirsUpFrom(from)) {
    const id = (await readSmall(join(each, ".sailing", "haven")))?.trim();
    if (id !== undefined && HAVEN_ID.test(id)) return id;
    if (each === to) break;
  }
  return undefined;
}

/** The address of `origin` as `host/path`: the same for ssh and https, without user, password and `.git`. */
async function readRemote(git: string): Promise<string | undefined> {
  const config = await readSmall(join(await commonDirOf(git), "config"));
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(config ?? "")?.[1];
  const url = /^\s*url\s*=\s*(.*?)\s*$/m.exec(section ?? "")?.[1];
  return url === undefined ? undefined : toRemoteName(url);
}

/** A path means nothing on another machine, so the host name is put before it. */
function toRemoteName(url: string): string | undefined {
  const clean = (path: string): string =>
    path
      .replace(/^\/+/, "")
      .replace(/\/+$/, "")
      .replace(/\.git$/, "");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !/^file:/i.test(url)) {
    try {
      const { hostname: host, pathname } = new URL(url);
      return host === "" ? undefined : `${host.toLowerCase()}/${clean(pathname)}`;
    } catch {
      return undefined;
    }
  }
  const scp = /^(?:[^@/]+@)?([^:/]{2,}):(?!\/\/)(.+)$/.exec(url);
  if (scp !== null) return `${(scp[1] ?? "").toLowerCase()}/${clean(scp[2] ?? "")}`;
  return `${hostname()}:${url.replace(/^file:\/\//i, "")}`;
}

/** Where a worktree's repository is. */
async function commonDirOf(git: string): Promise<string> {
  if ((await stat(git).catch(() => undefined))?.isFile() !== true) return git;
  const named = /^gitdir: (.*?)\s*$/.exec((await readSmall(git)) ?? "")?.[1];
  if (named === undefined) return git;
  const dir = resolve(dirname(git), named);
  const common = (await readSmall(join(dir, "commondir")))?.trim();
  return common === undefined ? dir : isAbsolute(common) ? common : join(dir, common);
}

async function readSmall(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() !== true || stats.size > MAX_FILE_BYTES) return undefined;
  return readFile(path, "utf8").catch(() => undefined);
}

function dirsUpFrom(dir: string): string[] {
  const dirs = [dir];
  for (let at = dir; dirs.length < MAX_PARENTS; ) {
    const parent = dirname(at);
    if (parent === at) break;
    dirs.push(parent);
    at = parent;
  }
  return dirs;
}
