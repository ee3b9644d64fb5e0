// What init remembers of each settings file that it changed: the text before it, and the hash of what it wrote.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { makeDirs, resolveStateDir, writeFileAtomic } from "@jeeves/state";
import { dataLayoutOf } from "../../launchers/data-layout.ts";

/** One note. */
export interface Note {
  readonly path: string;
  readonly before: string | null;
  readonly afterSha256: string;
  readonly dirs?: readonly string[];
}

/** The note of a settings file, if there is one. */
export async function readNote(path: string, env: NodeJS.ProcessEnv): Promise<Note | undefined> {
  for (const file of noteFiles(path, env)) {
    try {
      const note: Note = JSON.parse(await readFile(file, "utf8"));
      if (note.path === path) return note;
    } catch {
      // none there, or none of ours
    }
  }
  return undefined;
}

/** Paths of all settings files that an init changed, on whichever project's behalf, and that were not restored since. */
export async function notedPaths(env: NodeJS.ProcessEnv, stateDirs: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const dir of noteDirs(env, stateDirs)) {
    for (const name of (await readdir(dir).catch(() => [])).filter((each) => each.endsWith(".json"))) {
      try {
        const { path }: Note = JSON.parse(await readFile(join(dir, name), "utf8"));
        if (typeof path === "string" && isAbsolute(path)) paths.push(path);
      } catch {
        // a note that cannot be read names no file
      }
    }
  }
  return [...new Set(paths)];
}

/** Writes or replaces a note. */
export async function writeNote(note: Note, env: NodeJS.ProcessEnv): Promise<void> {
  const [file] = noteFiles(note.path, env);
  await makeDirs(dirname(file), { mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(note)}\n`);
}

/** The user's file before ours came into it, where that is known. */
export function ownOf(note: Note | undefined): string | undefined {
  return note?.before ?? undefined;
}

/** Where a note is written; and where versions before the data directory wrote it. */
export function noteFiles(path: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  const name = `${sha256Of(path).slice(0, 16)}.json`;
  const [dir, ...older] = noteDirs(env, [resolveStateDir(env)]);
  return [join(dir, name), ...older.map((each) => join(each, name))];
}

/** Where the file as it was before an init is kept, beside its note. */
export function backupFile(path: string, env: NodeJS.ProcessEnv): string {
  return noteFiles(path, env)[0].replace(/\.json$/, ".backup");
}

function noteDirs(env: NodeJS.ProcessEnv, stateDirs: readonly string[]): [string, ...string[]] {
  return [dataLayoutOf(env).notes, ...stateDirs.map((dir) => join(dir, "init"))];
}

/** The hash of a text, in hexadecimal digits. */
export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
