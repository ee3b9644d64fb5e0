// What `jeeves uninstall` must know and no settings file tells: the directories that init made, and where state is kept.
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { writeFileAtomic } from "@jeeves/state";

export interface InstallRecord {
  /** Innermost first. */
  readonly dirs: readonly string[];
  readonly stateDirs: readonly string[];
}

/** Returns an empty record where the file is missing or broken. */
export async function readRecord(path: string): Promise<InstallRecord> {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return { dirs: pathsAt(found, "dirs"), stateDirs: pathsAt(found, "stateDirs") };
  } catch {
    return { dirs: [], stateDirs: [] };
  }
}

/** Adds to the record; keeps what is there. */
export async function addToRecord(path: string, { dirs, stateDirs }: InstallRecord): Promise<void> {
  const old = await readRecord(path);
  const record = {
    dirs: [...new Set([...old.dirs, ...dirs])],
    stateDirs: [...new Set([...old.stateDirs, ...stateDirs])],
  };
  await writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
}

function pathsAt(value: unknown, key: "dirs" | "stateDirs"): string[] {
  const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return Array.isArray(list) ? list.filter((path) => typeof path === "string" && isAbsolute(path)) : [];
}
