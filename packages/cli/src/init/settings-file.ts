// One settings file of a client: written whole, through a link where it is one, with a backup in our own directory, and
// restored byte for byte. Where the user changed it after us, that is kept and only our own entries are taken out.
import { constants, existsSync } from "node:fs";
import { access, chmod, lstat, readFile, readlink, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { realPlaceOf, shellQuote, systemCodeOf } from "@jeeves/base";
import { makeDirs, writeFileAtomic } from "@jeeves/state";
import { backupFile, type Note, noteFiles, ownOf, readNote, sha256Of, writeNote } from "./files/notes.ts";
import { SetupError } from "./setup-error.ts";

/** undefined: there is no such file. */
export type Content = string | undefined;

/** `own` is the user's file before ours came into it, where that is known. */
export interface SettingsChange {
  readonly path: string;
  /** What of ours goes into the file, in a few words. */
  readonly what?: string;
  /**
   * Throws SetupError where the content is nothing that can be changed. Given its own result, it changes nothing.
   * Absent where nothing of ours is to be in the file: what an earlier init put there goes.
   */
  readonly add?: (content: Content, own?: Content) => string;
  /** Without our entries, and unchanged where there are none; undefined where there was nothing else in the file. */
  readonly remove: (content: string, own?: Content) => Content;
  /** Whether something of ours is left that another call wrote: for the user, or for another project. */
  readonly holdsMore?: (content: string) => boolean;
  /** What the user added to our entries, and goes with them, in a few words each. */
  readonly added?: (content: string) => readonly string[];
}

interface Plan {
  readonly change: SettingsChange;
  /** Of the init before this one. */
  readonly note: Note | undefined;
  readonly before: Content;
  readonly after: Content;
  /** That are made for the file, the innermost first. */
  readonly dirs: readonly string[];
}

/** What was done with one file. */
export interface Done {
  readonly path: string;
  readonly verb: "written" | "restored" | "removed";
  /** What the user had added to our entries, and went with them. */
  readonly lost?: readonly string[];
}

/** The text of the file, or of the one that a link leads to. Throws SetupError where it is no file, or no UTF-8. */
export async function readSettings(path: string): Promise<Content> {
  const found = await stat(path).catch((error) => {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new SetupError(`${path} cannot be looked at (${code})`, "nothing was changed");
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new SetupError(`${path} is not a file`, "it was left untouched");
  const bytes = await readFile(path).catch((error) => {
    throw new SetupError(`${path} cannot be read (${systemCodeOf(error)})`, "nothing was changed");
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SetupError(`${path} is not valid UTF-8`, "it was left untouched");
  }
}

/** What would be done with one file. */
export interface Preview {
  readonly path: string;
  readonly verb: "make" | "change" | "take out" | "keep";
  readonly what?: string;
}

/** Looks only. Throws SetupError where a file cannot be changed. */
export async function previewChanges(
  changes: readonly SettingsChange[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for (const change of changes) {
    const { before, after } = await planOf(change, env);
    const { path, what, add } = change;
    const verb = before === after ? "keep" : add === undefined ? "take out" : before === undefined ? "make" : "change";
    previews.push({ path, verb, ...(what === undefined ? {} : { what }) });
  }
  return previews;
}

/** Every file is read and planned before the first is written: a bad one leaves all of them as they were. */
export async function applyChanges(changes: readonly SettingsChange[], env: NodeJS.ProcessEnv): Promise<Done[]> {
  const plans: Plan[] = [];
  for (const change of changes) plans.push(await planOf(change, env));
  const written: Plan[] = [];
  try {
    for (const plan of plans) {
      if (plan.before === plan.after && plan.change.add !== undefined) continue;
      written.push(plan);
      await write(plan, env);
    }
  } catch (error) {
    for (const plan of written) await putBack(plan, env).catch(() => {});
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(`the settings cannot be written: ${why}`, "nothing was changed");
  }
  // Two files may have one directory: it goes when both are gone.
  for (const { note, after } of written) if (after === undefined) await removeEmpty(note?.dirs ?? []);
  return written.filter(({ before, after }) => before !== after).map(toDone);
}

/** The same for callers that want nothing of ours in the files. */
export function undoChanges(changes: readonly SettingsChange[], env: NodeJS.ProcessEnv): Promise<Done[]> {
  return applyChanges(
    changes.map(({ add: _add, ...change }) => change),
    env,
  );
}

function toDone({ change: { path, add, added }, before, after }: Plan): Done {
  const verb = after === undefined ? "removed" : add === undefined ? "restored" : "written";
  const lost = add === undefined && before !== undefined ? (added?.(before) ?? []) : [];
  return { path, verb, ...(lost.length === 0 ? {} : { lost }) };
}

/** One line for each thing of the user's that went with ours. */
export function lostWords(done: readonly Done[]): string[] {
  return done.flatMap(({ path, lost = [] }) =>
    lost.map((what) => `${path}: what you had added to our entry went with it: ${what}`),
  );
}

async function planOf(change: SettingsChange, env: NodeJS.ProcessEnv): Promise<Plan> {
  const { path, add } = change;
  const note = await readNote(path, env);
  const before = await readSettings(path);
  const after = add === undefined ? withoutOurs(change, before, note) : add(before, ownOf(note));
  if (before !== after) await checkWritable(path);
  return { change, note, before, after, dirs: before === undefined ? missingDirs(path) : (note?.dirs ?? []) };
}

/** A file that its user made read-only stays so, although it could be replaced by another. */
async function checkWritable(path: string): Promise<void> {
  const link = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    if (link)
      throw new SetupError(
        `${path} is a link that leads nowhere (to ${await readlink(path)})`,
        "make the file that it leads to, or remove the link; nothing was changed",
      );
    return;
  }
  const code = await access(path, constants.W_OK).then(() => undefined, systemCodeOf);
  if (code === undefined && (found.mode & 0o222) !== 0) return;
  const real = await realPlaceOf(path);
  throw new SetupError(
    `${path} is read-only${real === path ? "" : ` (a link to ${real})`}`,
    `chmod u+w ${shellQuote(real)} and run this again, or put in by hand what --print shows; it was left untouched`,
    { isForHand: true },
  );
}

/** The directories above a path that do not exist, innermost first. */
export function missingDirs(path: string): string[] {
  const dir = dirname(path);
  return existsSync(dir) ? [] : [dir, ...missingDirs(dir)];
}

async function write(plan: Plan, env: NodeJS.ProcessEnv): Promise<void> {
  const { change, note: old, before, after, dirs } = plan;
  if (change.add === undefined || after === undefined) return await takeOut(plan, env);
  // A second init keeps the first one's backup, as long as no other program wrote in between.
  const isOurs = old !== undefined && before !== undefined && old.afterSha256 === sha256Of(before);
  // What was written in between kept our entries: what is brought back later is their file without them.
  const bare = before === undefined ? undefined : change.remove(before, ownOf(old));
  const own = isOurs ? old.before : (bare ?? null);
  await writeNote({ path: change.path, before: own, afterSha256: sha256Of(after), dirs }, env);
  if (before !== undefined && !isOurs) await writeFile(backupFile(change.path, env), before, { mode: 0o600 });
  await rm(oldBackup(change.path), { force: true }).catch(() => {});
  await makeDirs(dirname(change.path), { mode: 0o777 });
  await replace(change.path, after);
}

/** After a failure in the middle. Without a note --remove takes our entries out one by one. */
async function putBack({ change: { path }, note, before, dirs }: Plan, env: NodeJS.ProcessEnv): Promise<void> {
  if ((await readSettings(path)) !== before) {
    if (before === undefined) await rm(path, { force: true });
    else await replace(path, before);
  }
  if (before === undefined) await removeEmpty(dirs);
  if (note === undefined) await rm(noteFiles(path, env)[0], { force: true });
  else await writeNote(note, env);
}

/** As it was before us where nothing else wrote since; else without our entries. */
function withoutOurs(change: SettingsChange, now: Content, note: Note | undefined): Content {
  if (now === undefined) return undefined;
  const rest = change.remove(now, ownOf(note));
  if (rest !== undefined && change.holdsMore?.(rest) === true) return rest;
  return note?.afterSha256 === sha256Of(now) ? ownOf(note) : rest;
}

async function takeOut({ change, note, before, after }: Plan, env: NodeJS.ProcessEnv): Promise<void> {
  const { path } = change;
  if (after !== before) await (after === undefined ? removeFile(path) : replace(path, after));
  await rm(oldBackup(path), { force: true }).catch(() => {}); // the directory may be gone, or a file
  // Entries of ours that another call wrote are taken out later; only then is the file restored as it was at first.
  const isOurs = note !== undefined && before !== undefined && note.afterSha256 === sha256Of(before);
  if (isOurs && after !== undefined && change.holdsMore?.(after) === true)
    return await writeNote({ ...note, afterSha256: sha256Of(after) }, env);
  // A note that cannot be removed does no harm: it is about a text that is gone.
  for (const file of [...noteFiles(path, env), backupFile(path, env)]) await rm(file, { force: true }).catch(() => {});
}

/** Earlier versions left the backup beside the file. */
function oldBackup(path: string): string {
  return `${path}.jeeves-backup`;
}

/** Removes directories that init made. One that holds anything else stays, and so do those above it. */
async function removeEmpty(dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) await rmdir(dir).catch(() => {});
}

/** Replaces the file atomically, through a link where it is one, and keeps its permissions. */
async function replace(path: string, content: string): Promise<void> {
  const real = await realPlaceOf(path);
  const mode = (await stat(real).catch(() => undefined))?.mode;
  await writeFileAtomic(real, content);
  if (mode !== undefined) await chmod(real, mode & 0o777);
}

async function removeFile(path: string): Promise<void> {
  for (const each of new Set([await realPlaceOf(path), path])) await rm(each, { force: true });
}
