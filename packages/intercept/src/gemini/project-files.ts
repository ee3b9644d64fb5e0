// Gemini's own read_file opens only files of the project and of Gemini's directory for it (~/.gemini/tmp/PROJECT). So stored
// texts of this project and texts to show are put there, in a folder of ours. Old files in it are removed.
import { copyFile, link, lstat, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { makeDirs, writeFileAtomic } from "@jeeves/state";
import type { StoredFile } from "../hook/client-adapter.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** The name of our folder in Gemini's directory for a project. */
export const GEMINI_FOLDER = "jeeves";
const MAX_FILES = 200;
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

/** Gemini's directory for the project of a session; undefined where the event does not name it. */
function folderOf({ transcriptPath }: ToolEvent): string | undefined {
  if (transcriptPath === undefined) return undefined;
  // …/tmp/PROJECT/chats/session-….jsonl
  const chats = dirname(transcriptPath);
  const project = dirname(chats);
  return basename(chats) === "chats" && basename(dirname(project)) === "tmp" ? join(project, GEMINI_FOLDER) : undefined;
}

/** Makes a stored text readable for its session; undefined where that cannot be done. Never rejects. */
export async function linkStored(event: ToolEvent, { pruneId, path }: StoredFile): Promise<string | undefined> {
  try {
    const folder = await openFolder(event);
    if (folder === undefined) return undefined;
    const name = join(folder, `${pruneId}.txt`);
    await link(path, name).catch(async (error) => {
      // EEXIST: the same cut was made before. Else the two may be on different file systems.
      if (systemCodeOf(error) !== "EEXIST") await copyFile(path, name);
    });
    return name;
  } catch {
    return undefined;
  }
}

/** Writes a text for read_file to show; undefined where that cannot be done. Never rejects. */
export async function writeShown(event: ToolEvent, name: string, text: string): Promise<string | undefined> {
  try {
    const folder = await openFolder(event);
    if (folder === undefined) return undefined;
    const path = join(folder, name);
    await writeFileAtomic(path, text);
    return path;
  } catch {
    return undefined;
  }
}

async function openFolder(event: ToolEvent): Promise<string | undefined> {
  const folder = folderOf(event);
  if (folder === undefined) return undefined;
  // Gemini creates the project's directory. A link in place of our folder may lead anywhere.
  await stat(dirname(folder));
  await makeDirs(folder, { mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) return undefined;
  await dropOld(folder);
  return folder;
}

async function dropOld(folder: string): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await lstat(join(folder, name))).ctimeMs })));
  files.sort((a, b) => b.at - a.at);
  const since = Date.now() - MAX_AGE_MS;
  const old = files.filter(({ at }, index) => index >= MAX_FILES || at < since);
  for (const { name } of old) await rm(join(folder, name), { force: true });
}
