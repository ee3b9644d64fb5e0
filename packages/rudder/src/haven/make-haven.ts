// A new haven: its directories and the three pages that people keep (RU-04). Doing it again changes nothing.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { PROJECT_MEMORY, toMemoryText } from "../memory/memory-file.ts";
import { RudderError, toRudderError } from "../rudder-error.ts";
import { layoutOf } from "./layout.ts";

/**
 * Makes the directories and pages that are missing; resolves with their paths. Throws `not_writable`, `disk_full` or
 * `broken_state` where one cannot be made.
 */
export async function makeHaven(haven: string): Promise<readonly string[]> {
  const layout = layoutOf(haven);
  const made: string[] = [];
  try {
    for (const dir of [layout.prds, layout.memory, layout.runs, layout.assignments]) {
      if (!existsSync(dir)) made.push(dir);
      makeDirs(dir);
    }
    const pages: readonly (readonly [string, string])[] = [
      [layout.roadmap, "# Roadmap\n"],
      [layout.postit, "# Post-it\n"],
      [layout.projectMemory, toMemoryText(PROJECT_MEMORY, "Project memory")],
    ];
    for (const [path, text] of pages) {
      if (existsSync(path)) continue;
      await writeFileAtomic(path, text);
      made.push(path);
    }
  } catch (error) {
    const known = toRudderError(error, haven);
    const code = systemCodeOf(error);
    if (known instanceof RudderError || code === undefined) throw known;
    throw new RudderError("not_writable", `no haven can be made at ${haven} (${code})`, {
      hint: "set RUDDER_HAVEN to a directory that can be made",
      cause: error,
    });
  }
  return made;
}

/**
 * Not `recursive`: where a file system answers ENOENT although the parent is there (/proc), Node would try for ever.
 * Directories of `haven` are made only while it is there: one that was just moved away would come to life again.
 */
export function makeDirs(path: string, haven?: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || parent === haven || existsSync(parent)) throw error;
    makeDirs(parent, haven);
    makeDirs(path, haven);
  }
}
