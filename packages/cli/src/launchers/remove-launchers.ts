// Takes the data directory away. Only what init wrote is removed; anything else in there keeps its directory.
import { readdir, rm, rmdir } from "node:fs/promises";
import { readSettings } from "../init/settings-file.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { settingsPlaces } from "../uninstall/settings-places.ts";
import { leaveStub, stubStays } from "./bare-stub.ts";
import { dataLayoutOf } from "./data-layout.ts";
import { whyInUse } from "./in-use.ts";
import { type DataFiles, findDataFiles } from "./own-files.ts";
import { readRecord } from "./record.ts";

/** Printed behind the path of a link that stands where a directory of ours should be. */
export const LINK_STAYS = "stays with all that is behind it: it is a link; files of ours there may be deleted by hand";

interface RemovedLaunchers extends Pick<DataFiles, "others" | "links"> {
  /** Whether `bin/jeeves-exec` stays as a stub that runs commands unchanged. */
  readonly hasStub: boolean;
}

/** `stub`: leaves a stub in the place of `bin/jeeves-exec`, for settings that may still name it. */
export async function removeLaunchers(env: NodeJS.ProcessEnv, { stub = false } = {}): Promise<RemovedLaunchers> {
  const data = dataLayoutOf(env);
  const { own, dirs, others, links } = await findDataFiles(data);
  const { dirs: made } = await readRecord(data.record);
  const hasStub = stub && own.includes(data.execPath) && (await leaveStub(data));
  for (const path of own) if (!hasStub || path !== data.execPath) await rm(path, { force: true });
  for (const dir of [...dirs, ...made]) await rmdir(dir).catch(() => {});
  return { others, links, hasStub };
}

/** Removes the launchers when no settings file needs them any more. Returns lines for the user. */
export async function removeUnusedLaunchers(setUp: SetUp): Promise<string[]> {
  const data = dataLayoutOf(setUp.env);
  // No notes at all are no proof: another project's settings may name the launchers.
  const notes = await readdir(data.notes).catch(() => undefined);
  if (notes === undefined || notes.length > 0 || (await whyInUse(setUp.env)) !== undefined) return [];
  for (const path of (await settingsPlaces(setUp, [])).all) {
    // Entries may have been put there by hand; a file that cannot be read may hold some.
    const text = await readSettings(path).catch(() => data.bin);
    if (text?.includes(data.bin)) return [];
  }
  const { wasInProject } = await readRecord(data.record);
  const { others, links, hasStub } = await removeLaunchers(setUp.env, { stub: wasInProject });
  return [
    ...links.map((path) => `${path} ${LINK_STAYS}`),
    ...others.map((path) => `left in place, not ours:  ${path}`),
    ...(hasStub ? [stubStays(data)] : others.length + links.length === 0 ? [`removed  ${data.dir}`] : []),
  ];
}
