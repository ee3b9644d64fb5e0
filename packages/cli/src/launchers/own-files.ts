// Which files in the data directory are ours: those that init wrote, by their name and a sign in their content. People
// put files of their own beside them, and links in the place of directories; neither is ever removed or followed.
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isRecord } from "@jeeves/base";
import { readPlainFile } from "@jeeves/state";
import type { DataLayout } from "./data-layout.ts";
import { LAUNCHER_NAMES } from "./write-launchers.ts";

/** What the data directory holds, ours and not ours. */
export interface DataFiles {
  /** Files and links of ours. */
  readonly own: readonly string[];
  /** Directories of ours, innermost first; one that is empty afterwards goes, too. */
  readonly dirs: readonly string[];
  /** Not ours. */
  readonly others: readonly string[];
  /** Links in the place of our directories. What is behind them may be ours, and is left alone. */
  readonly links: readonly string[];
}

const MAX_BYTES = 16 * 1024 * 1024;
const TEMPORARY = /(?:^|\/)\.tmp-\d+-[0-9a-f]{12}$/;
const LINK = /^(?:installation|node)(?:\.tmp-\d+-[0-9a-f]{12})?$/;
const NOTE = /^settings\/[0-9a-f]{16}\.json$/;
const BACKUP = /^settings\/[0-9a-f]{16}\.backup$/;
const FALLBACK_NOTE = /^fallbacks\/[0-9a-f]{16}$/;

/** Looks through the data directory; changes nothing. */
export async function findDataFiles(data: DataLayout): Promise<DataFiles> {
  const found = { own: [] as string[], dirs: [] as string[], others: [] as string[], links: [] as string[] };
  const inner = [data.bin, data.lib, data.notes, join(data.dir, "fallbacks")];
  const look = async (dir: string): Promise<void> => {
    for (const name of await readdir(dir).catch(() => [])) {
      const path = join(dir, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats === undefined) continue;
      if (!inner.includes(path)) found[(await isOwn(data, path, stats)) ? "own" : "others"].push(path);
      else if (stats.isDirectory()) await look(path);
      else found[stats.isSymbolicLink() ? "links" : "others"].push(path);
    }
    found.dirs.push(dir);
  };
  const top = await lstat(data.dir).catch(() => undefined);
  if (top?.isSymbolicLink() === true) found.links.push(data.dir);
  else if (top?.isDirectory() === true) await look(data.dir);
  return found;
}

async function isOwn(data: DataLayout, path: string, stats: Stats): Promise<boolean> {
  const name = relative(data.dir, path);
  if (stats.isSymbolicLink()) return LINK.test(name);
  if (!stats.isFile()) return false;
  if (path === data.record || [TEMPORARY, FALLBACK_NOTE, BACKUP].some((form) => form.test(name))) return true;
  if (LAUNCHER_NAMES.includes(name)) return /jeeves/i.test(await textOf(path));
  return NOTE.test(name) && isNote(await textOf(path));
}

async function textOf(path: string): Promise<string> {
  const bytes = await readPlainFile(path, { maxBytes: MAX_BYTES }).catch(() => undefined);
  return bytes?.toString("utf8") ?? "";
}

function isNote(text: string): boolean {
  try {
    const note: unknown = JSON.parse(text);
    return isRecord(note) && typeof note.path === "string" && typeof note.afterSha256 === "string";
  } catch {
    return false;
  }
}
