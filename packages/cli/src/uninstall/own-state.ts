// Which files in a state directory are ours. A directory that the user named (JEEVES_STATE_DIR) may hold files of their
// own under the same names, so a file counts only where its path and its content have the form that we write.
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { PRUNE_ID_PATTERN } from "@jeeves/base";
import { MODES } from "@jeeves/cut";
import { isOwnSqlite, isProcessIdentity, openPlainFile, readPlainFile } from "@jeeves/state";

/** Everything that a package of ours keeps in the state directory. */
export const STATE_NAMES = [
  "artifacts",
  "fallbacks",
  "init",
  "meter",
  "mode",
  "research-index",
  "runs",
  "store",
  "token",
  "token.lock",
  "trials",
  "up",
] as const;

interface FoundFile {
  readonly path: string;
  readonly stats: Stats;
}

interface OwnForm {
  /** Of the path, relative to the state directory. */
  readonly path: RegExp;
  /** Of the content; absent where the name alone is enough. Rejects where the file cannot be read or parsed. */
  readonly isOurs?: (file: FoundFile) => boolean | Promise<boolean>;
}

/** A larger file is left in place. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_DEPTH = 8;
const HEADER_BYTES = 100;
const LOCK = String.raw`^(?:store/locks/(?:[a-z2-7]|sweep)|up/lock|token\.lock)`;
const HANDOFF = "# Research Handoff\n\n## Question\n";
const PAGE = '<!doctype html><meta charset="utf-8"><title>Jeeves</title>\n';

const TEMPORARY = /(?:^|\/)\.tmp-\d+-[0-9a-f]{12}$/;

const FORMS: readonly OwnForm[] = [
  { path: TEMPORARY },
  // A text is in the folder of the first character of its id.
  { path: new RegExp(String.raw`^store/([a-z2-7])/(?=prn_\1)${PRUNE_ID_PATTERN}\.(?:txt|json|cut)$`) },
  { path: /^store\/usage$/, isOurs: async (file) => /^\.*$/.test(await textOf(file)) },
  { path: /^store\/\.rgignore$/, isOurs: async (file) => (await textOf(file)) === "*\n" },
  { path: /^store\/swept$/, isOurs: isEmpty },
  { path: new RegExp(String.raw`${LOCK}/\d{1,15}$`), isOurs: async (file) => isProcessIdentity(await jsonOf(file)) },
  { path: new RegExp(String.raw`${LOCK}/(?:\d{1,15}\.free|wait\.\d{1,10})$`), isOurs: isEmpty },
  { path: /^fallbacks\/[0-9a-f]{16}$/, isOurs: async (file) => (await textOf(file)).startsWith("/") },
  { path: /^meter\/\d{4}-\d\d\.jsonl$/, isOurs: isMeter },
  { path: /^mode$/, isOurs: isMode },
  { path: /^token$/, isOurs: isToken },
  { path: /^runs\/\d{8}T\d{6}Z-[0-9a-f]{8}\/(?:run\.json|events\.jsonl)$/, isOurs: isOfRun },
  { path: /^up\/[0-9a-f]{16}\.json$/, isOurs: async (file) => hasKeys(await jsonOf(file), "owner", "root") },
  { path: /^up\/[0-9a-f]{16}\.html$/, isOurs: async (file) => (await textOf(file)).startsWith(PAGE) },
  { path: /^init\/[0-9a-f]{16}\.json$/, isOurs: async (file) => hasKeys(await jsonOf(file), "path", "afterSha256") },
  { path: /^trials\/[0-9a-f]{16}\.json$/, isOurs: async (file) => hasKeys(await jsonOf(file), "project", "started") },
  { path: /^research-index\/[0-9a-f]{24}\.sqlite(?:-wal|-shm)?$/, isOurs: isIndex },
  { path: /^artifacts\/.*\.md$/s, isOurs: async (file) => (await textOf(file)).startsWith(HANDOFF) },
];

interface OwnEntries {
  /** By our names, files and directories. */
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** What is ours in a state directory that bears our name. A link in its place was made by the user. */
export async function ownEntriesOf(dir: string): Promise<OwnEntries> {
  const names: readonly string[] = STATE_NAMES;
  const own: string[] = [];
  const others: string[] = [];
  for (const name of await readdir(dir).catch(() => [])) {
    const stats = await lstat(join(dir, name)).catch(() => undefined);
    const isKnown = names.includes(name) ? stats?.isSymbolicLink() === false : TEMPORARY.test(name) && stats?.isFile();
    (isKnown === true ? own : others).push(join(dir, name));
  }
  return { own, others };
}

/** Paths of the files in `dir/part` (`part`: one of STATE_NAMES) that are recognisably ours. Follows no link. */
export async function ownFilesOf(dir: string, part: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (path: string, depth: number): Promise<void> => {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isDirectory() === true && depth < MAX_DEPTH) {
      for (const name of await readdir(path).catch(() => [])) await look(join(path, name), depth + 1);
    } else if (stats?.isFile() === true && (await isOurs(relative(dir, path), { path, stats }))) found.push(path);
  };
  await look(join(dir, part), 0);
  return found;
}

async function isOurs(name: string, file: FoundFile): Promise<boolean> {
  const form = FORMS.find(({ path }) => path.test(name));
  if (form?.isOurs === undefined) return form !== undefined;
  try {
    return await form.isOurs(file);
  } catch {
    return false;
  }
}

async function bytesOf({ path }: FoundFile): Promise<Buffer> {
  const bytes = await readPlainFile(path, { maxBytes: MAX_BYTES });
  if (bytes === undefined) throw new Error(`${path} is gone`);
  return bytes;
}

async function textOf(file: FoundFile): Promise<string> {
  return (await bytesOf(file)).toString("utf8");
}

async function jsonOf(file: FoundFile): Promise<unknown> {
  return JSON.parse(await textOf(file));
}

function hasKeys(value: unknown, ...keys: readonly string[]): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && keys.every((key) => Object.hasOwn(value, key));
}

function isEmpty({ stats }: FoundFile): boolean {
  return stats.size === 0;
}

async function isMode(file: FoundFile): Promise<boolean> {
  const word = await textOf(file);
  return MODES.some((mode) => word === `${mode}\n`);
}

async function isToken(file: FoundFile): Promise<boolean> {
  return (file.stats.mode & 0o777) === 0o600 && /^[\w-]{43}\n$/.test(await textOf(file));
}

/** Looks at the start only: the last line may be torn, and the first one, too, after a full disk. */
async function isMeter(file: FoundFile): Promise<boolean> {
  const lines = (await textOf(file)).split("\n", 100);
  return lines.some((line) => hasKeys(parsed(line), "ts", "kind", "session", "raw_tokens"));
}

/** The run's file names the run, and its directory has the same name. */
async function isOfRun({ path, stats }: FoundFile): Promise<boolean> {
  const run = await jsonOf({ path: join(dirname(path), "run.json"), stats });
  return hasKeys(run, "schema_version", "id", "provider") && run.id === basename(dirname(path));
}

/** What SQLite keeps beside an index goes with it. */
async function isIndex({ path }: FoundFile): Promise<boolean> {
  const opened = await openPlainFile(path.replace(/-(?:wal|shm)$/, ""));
  if (opened === undefined) return false;
  try {
    const { buffer, bytesRead } = await opened.handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return isOwnSqlite(buffer.subarray(0, bytesRead));
  } finally {
    await opened.handle.close();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
