// Takes the data directory away. Only what init wrote is removed; anything else in there keeps its directory.
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { readSettings } from "../init/settings-file.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { settingsPlaces } from "../uninstall/settings-places.ts";
import { leaveStub, stubStays } from "./bare-stub.ts";
import { dataLayoutOf } from "./data-layout.ts";
import { whyInUse } from "./in-use.ts";
import { readRecord } from "./record.ts";

export interface RemovedLaunchers {
  /** Left in the data directory because not ours. */
  readonly others: readonly string[];
  /** Whether `bin/jeeves-exec` stays as a stub that runs commands unchanged. */
  readonly hasStub: boolean;
}

/** `stub`: leaves a stub in the place of `bin/jeeves-exec`, for settings that may still name it. */
export async function removeLaunchers(env: NodeJS.ProcessEnv, { stub = false } = {}): Promise<RemovedLaunchers> {
  const data = dataLayoutOf(env);
  const { dirs } = await readRecord(data.record);
  const stays = stub && (await leaveStub(data));
  const programs = (await readdir(data.bin).catch(() => [])).map((name) => join(data.bin, name));
  const going = stays ? programs.filter((path) => path !== data.execPath) : [data.bin];
  for (const path of [...going, data.lib, data.notes]) await rm(path, { recursive: true, force: true });
  for (const path of [data.installation, data.node, data.record]) await rm(path, { force: true }).catch(() => {});
  await rmdir(data.dir).catch(() => {});
  const left = await readdir(data.dir).catch(() => []);
  if (left.length === 0) for (const dir of dirs) await rmdir(dir).catch(() => {});
  const others = left.map((name) => join(data.dir, name)).filter((path) => !stays || path !== data.bin);
  return { others, hasStub: stays };
}

/** Removes the launchers when no settings file needs them any more. Returns lines for the user. */
export async function removeUnusedLaunchers(setUp: SetUp): Promise<string[]> {
  const data = dataLayoutOf(setUp.env);
  // No notes at all are no proof: another project's settings may name the launchers.
  const notes = await readdir(data.notes).catch(() => undefined);
  if (notes === undefined || notes.length > 0 || (await whyInUse(setUp.env)) !== undefined) return [];
  for (const path of (await settingsPlaces(setUp, [])).all) {
    // Entries may have been put there by hand; a file that cannot be read may hold some.
    const text = await readSettings(path, { follow: true }).catch(() => data.bin);
    if (text?.includes(data.bin)) return [];
  }
  const { wasInProject } = await readRecord(data.record);
  const { others, hasStub } = await removeLaunchers(setUp.env, { stub: wasInProject });
  if (hasStub) return [stubStays(data)];
  return others.length === 0 ? [`removed  ${data.dir}`] : [];
}
