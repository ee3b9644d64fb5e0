// Takes the data directory away. Only what init wrote is removed; anything else in there keeps its directory.
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { readSettings } from "../init/settings-file.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { settingsPlaces } from "../uninstall/settings-places.ts";
import { dataLayoutOf } from "./data-layout.ts";
import { areLaunchersInUse } from "./in-use.ts";
import { readRecord } from "./record.ts";

/** Returns what was left in the data directory because it is not ours. */
export async function removeLaunchers(env: NodeJS.ProcessEnv): Promise<string[]> {
  const data = dataLayoutOf(env);
  const { dirs } = await readRecord(data.record);
  for (const path of [data.bin, data.lib, data.notes]) await rm(path, { recursive: true, force: true });
  for (const path of [data.installation, data.node, data.record]) await rm(path, { force: true }).catch(() => {});
  await rmdir(data.dir).catch(() => {});
  const left = await readdir(data.dir).catch(() => []);
  if (left.length === 0) for (const dir of dirs) await rmdir(dir).catch(() => {});
  return left.map((name) => join(data.dir, name));
}

/** Removes the launchers when no settings file needs them any more. Returns the directory if it is gone. */
export async function removeUnusedLaunchers(setUp: SetUp): Promise<string[]> {
  const data = dataLayoutOf(setUp.env);
  // No notes at all are no proof: another project's settings may name the launchers.
  const notes = await readdir(data.notes).catch(() => undefined);
  if (notes === undefined || notes.length > 0 || (await areLaunchersInUse(setUp.env))) return [];
  for (const path of (await settingsPlaces(setUp, [])).all) {
    // Entries may have been put there by hand; a file that cannot be read may hold some.
    const text = await readSettings(path, { follow: true }).catch(() => data.bin);
    if (text?.includes(data.bin)) return [];
  }
  const left = await removeLaunchers(setUp.env);
  return left.length === 0 ? [data.dir] : [];
}
