// Writes what one client needs: the launchers, then the settings that name them. For `jeeves init` and `jeeves setup`.
import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { type ClientId, realPlaceOf, systemCodeOf } from "@jeeves/base";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { addToRecord } from "../launchers/record.ts";
import { removeLaunchers } from "../launchers/remove-launchers.ts";
import { writeLaunchers } from "../launchers/write-launchers.ts";
import { SET_UPS } from "./changes-for.ts";
import { isTracked } from "./files/version-control.ts";
import { applyChanges, type Done, type SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { findOwnFiles, type SetUp } from "./what-to-set-up.ts";

/** What was written: lines about the launchers, and the settings files. */
export interface Connected {
  readonly launched: readonly string[];
  readonly done: readonly Done[];
}

/**
 * Throws SetupError where something cannot be written. Then everything is as before, except that the launchers stay
 * where the user may put our entries into a read-only file by hand.
 */
export async function connectClient(
  client: ClientId,
  setUp: SetUp,
  changes: readonly SettingsChange[],
): Promise<Connected> {
  const { env, scope, parts } = setUp;
  const isFirst = !existsSync(dataLayoutOf(env).bin);
  const launched = await setUpLaunchers(env, isFirst);
  const done = await applyChanges(changes, env).catch(async (error) => {
    const isForHand = error instanceof SetupError && error.isForHand;
    if (isFirst && !isForHand) await removeLaunchers(env).catch(() => {});
    throw error;
  });
  const isInProject = SET_UPS[client].namesExecInProject === true && scope === "project" && parts !== "tools";
  if (isInProject) await addToRecord(dataLayoutOf(env).record, { wasInProject: true });
  return { launched, done };
}

/** One line for the user: what was done, and where a link led. */
export async function toLine({ path, verb }: Done): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  return `${verb}  ${path}${isLink ? ` (a link to ${await realPlaceOf(path)})` : ""}`;
}

/** A line for each file that git would show as changed. */
export async function trackedWords(done: readonly Done[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, verb } of done)
    if (verb === "written" && (await isTracked(path, env)))
      lines.push(`${path} is under version control: what was written names paths of this machine, do not commit it`);
  return lines;
}

/** Before the settings that name them. */
async function setUpLaunchers(env: NodeJS.ProcessEnv, isFirst: boolean): Promise<string[]> {
  const { packages } = findOwnFiles();
  try {
    const { data, before } = await writeLaunchers(packages, env);
    if (isFirst) return [`written  ${data.bin}`];
    return before === packages ? [] : [`${data.bin} now starts ${packages}${before ? `, no longer ${before}` : ""}`];
  } catch (error) {
    if (!(error instanceof Error) || systemCodeOf(error) === undefined) throw error;
    if (isFirst) await removeLaunchers(env).catch(() => {});
    throw new SetupError(`the launchers cannot be written: ${error.message}`, "nothing was changed");
  }
}
