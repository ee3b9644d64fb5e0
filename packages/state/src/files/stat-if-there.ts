// A look at a file that may be missing.
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";

/** The stats of a file; undefined where it does not exist. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
