// What `jeeves uninstall` must know and no settings file tells: the directories that init made, and where state is kept.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { writeFileAtomic } from "@jeeves/state";

interface InstallRecord {
  /** Innermost first. */
  readonly dirs: readonly string[];
  readonly stateDirs: readonly string[];
  /** Those of them, and of the directories above, that did not exist at the init, innermost first. */
  readonly madeStateDirs: readonly string[];
  /** The directories for temporary files, as TMPDIR named them at each init. */
  readonly tmpDirs: readonly string[];
  /** Whether Claude Code was ever set up for a project, copies of which cannot be known. */
  readonly wasInProject: boolean;
}

const EMPTY: InstallRecord = { dirs: [], stateDirs: [], madeStateDirs: [], tmpDirs: [], wasInProject: false };

/** A record that is missing or broken no longer tells whether there was a project: the safe answer is yes. */
export async function readRecord(path: string): Promise<InstallRecord> {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return {
      dirs: pathsAt(found, "dirs"),
      stateDirs: pathsAt(found, "stateDirs"),
      madeStateDirs: pathsAt(found, "madeStateDirs"),
      tmpDirs: pathsAt(found, "tmpDirs"),
      wasInProject: valueAt(found, "wasInProject") === true,
    };
  } catch {
    return { ...EMPTY, wasInProject: true };
  }
}

/** Adds to the record, which may be new; keeps what is there. */
export async function addToRecord(path: string, added: Partial<InstallRecord>): Promise<void> {
  const old = existsSync(path) ? await readRecord(path) : EMPTY;
  const record: InstallRecord = {
    dirs: [...new Set([...old.dirs, ...(added.dirs ?? [])])],
    stateDirs: [...new Set([...old.stateDirs, ...(added.stateDirs ?? [])])],
    madeStateDirs: [...new Set([...old.madeStateDirs, ...(added.madeStateDirs ?? [])])],
    tmpDirs: [...new Set([...old.tmpDirs, ...(added.tmpDirs ?? [])])],
    wasInProject: old.wasInProject || added.wasInProject === true,
  };
  await writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
}

function pathsAt(value: unknown, key: keyof InstallRecord): string[] {
  const list = valueAt(value, key);
  return Array.isArray(list) ? list.filter((path) => typeof path === "string" && isAbsolute(path)) : [];
}

function valueAt(value: unknown, key: keyof InstallRecord): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
