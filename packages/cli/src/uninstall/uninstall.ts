// `jeeves uninstall`: takes ours out of every settings file, removes the launchers and, if asked to, the state. It is
// bundled into one file that lies beside the launchers, so that it works when the installation is gone (X-62).
// Exit codes: 0 done, 1 something had to be left, 2 nothing was done because it was not confirmed.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLIENTS, homeOf, mayNamePrefix, userSettingsOf } from "@jeeves/base";
import { resolveStateDir } from "@jeeves/state";
import { lostWords, readSettings, type SettingsChange, undoChanges } from "../init/settings-file.ts";
import { SetupError } from "../init/setup-error.ts";
import { isOnlyStub, stubStays, stubStaysFor } from "../launchers/bare-stub.ts";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { whyInUse } from "../launchers/in-use.ts";
import { type DataFiles, findDataFiles } from "../launchers/own-files.ts";
import { addToRecord, readRecord } from "../launchers/record.ts";
import { LINK_STAYS, removeLaunchers } from "../launchers/remove-launchers.ts";
import { findPlugin } from "../setup/plugins.ts";
import { removeGeminiFolders } from "./gemini-folders.ts";
import { ownEntriesRemoval } from "./own-entries.ts";
import { lookingSetUp, settingsPlaces } from "./settings-places.ts";
import { findState, NO_STATE, removeState, type StateFound } from "./state-parts.ts";

/** The options of the command. Without `yes` and `keepState` it asks about the state. */
export interface UninstallOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly keepState?: boolean;
  /** Leaves no launcher for settings that cannot be found. */
  readonly force?: boolean;
}

interface UninstallContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly out: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Absent where there is no terminal to ask on. */
  readonly ask?: (question: string) => Promise<boolean>;
}

interface Found {
  readonly changes: readonly SettingsChange[];
  /** Files that cannot be changed, with why. */
  readonly refused: readonly string[];
  /** Noted settings files of Claude Code that are gone: where they are now, they name a launcher. */
  readonly missing: readonly string[];
  /** Whether Claude Code is set up for a project, copies of which cannot be known. */
  readonly hasProject: boolean;
}

/** Returns the exit code: 0 done, 1 something had to be left, 2 not confirmed. With `dryRun` nothing is changed. */
export async function uninstall(options: UninstallOptions, context: UninstallContext): Promise<number> {
  const { env, out, warn, ask } = context;
  const data = dataLayoutOf(env);
  const record = await readRecord(data.record);
  const stateDirs = [...new Set([resolveStateDir(env), ...record.stateDirs])];
  const { changes, refused, missing, hasProject } = await findSettings(context, stateDirs);
  const places = { stateDirs, tmpDirs: record.tmpDirs };
  const state = options.keepState === true ? NO_STATE : await findState(places, env);
  const hasState = state.parts.length > 0;
  const isStubToStay = options.force !== true && (await isOnlyStub(env));
  const launchers = await findDataFiles(data);
  // A directory that is empty goes as well, and one that is a link is named.
  const hasLaunchers =
    !isStubToStay && (launchers.own.length > 0 || isEmptied(launchers) || launchers.links.includes(data.dir));
  const stub = options.force !== true && (missing.length > 0 || hasProject || record.wasInProject);
  const plugins = await pluginsLeft(env);
  if (changes.length + refused.length === 0 && !hasState && !hasLaunchers) {
    const nothing = "nothing to do: nothing of Jeeves was found for this user or this directory";
    out(isStubToStay ? stubStays(data) : plugins.length > 0 ? "nothing to do in the settings" : nothing);
    for (const line of plugins) out(line);
    return 0;
  }

  const isSure = options.yes === true || !hasState || ask !== undefined;
  if (options.dryRun === true || !isSure) {
    for (const { path } of changes) out(`would take ours out of  ${path}`);
    if (hasLaunchers && launchers.dirs.length > 0) {
      const ours = isEmptied(launchers) ? "" : `our ${launchers.own.length} files in  `;
      out(`would remove  ${ours}${data.dir}${stub ? `, all but ${data.execPath}` : ""}`);
    }
    for (const { path, own, isShared } of state.parts) {
      const isAll = !isShared && !state.others.some((other) => dirname(other) === path);
      out(`would remove  ${isAll ? "" : `our ${own.length} ${isShared ? "files" : "entries"} in  `}${path}`);
    }
    for (const path of launchers.links) out(`would leave in place, a link:  ${path}`);
    for (const path of [...launchers.others, ...state.others]) out(`would leave in place, not ours:  ${path}`);
    for (const line of plugins) out(line);
    for (const why of refused) warn(why);
    if (options.dryRun === true) return refused.length === 0 ? 0 : 1;
    warn("nothing was changed: --yes removes all of this, --keep-state all but the stored texts, runs and the meter");
    return 2;
  }

  // The notes are removed with our entries, and a second call still needs this.
  if (stub && hasLaunchers) await addToRecord(data.record, { wasInProject: true }).catch(() => {});
  const left = [...refused, ...(await restoreSettings(changes, context))];
  const inUse = hasLaunchers ? await whyInUse(env) : undefined;
  if (hasLaunchers && left.length > 0)
    left.push(`${data.bin} stays: a file above may still name it; then run this again`);
  else if (inUse !== undefined) left.push(`${data.bin} stays: ${inUse}; close it and run ${data.uninstallPath}`);
  else if (hasLaunchers) {
    const { others, links, hasStub } = await removeLaunchers(env, { stub });
    for (const path of others) out(`left in place, not ours:  ${path}`);
    left.push(...links.map((path) => `${path} ${LINK_STAYS}`));
    if (others.length + links.length === 0 && !hasStub) out(`removed  ${data.dir}`);
    if (hasStub && missing.length === 0) out(stubStays(data));
    else if (hasStub) left.push(...missing.map((path) => stubStaysFor(path, data)));
  }
  if (isStubToStay) out(stubStays(data));
  for (const why of left) warn(why);
  const named = state.parts.map(({ path }) => path).join(", ");
  const isStateToGo =
    hasState &&
    (options.yes === true || (await ask?.(`Remove stored texts, runs and the meter in ${named}?`)) === true);
  // Of the directories for the launchers, those above the state are empty only now.
  const made = [...record.madeStateDirs, ...(existsSync(data.dir) ? [] : record.dirs)];
  const unremoved = isStateToGo ? await clearState(state, made, context) : 0;
  // These are stored texts, too.
  if (options.keepState !== true && (isStateToGo || !hasState))
    for (const path of await removeGeminiFolders(env)) out(`removed  ${path}`);
  for (const line of plugins) out(line);
  const tasks = existsSync(join(homeOf(env), ".sailing")) ? " Tasks stay in ~/.sailing." : "";
  out(`The jeeves command itself, where it was installed: npm uninstall --global jeeves.${tasks}`);
  return left.length + unremoved === 0 ? 0 : 1;
}

/** Plugins of ours are their clients' own: a line for each that goes on cutting. */
async function pluginsLeft(env: NodeJS.ProcessEnv): Promise<string[]> {
  const looked = CLIENTS.map(async ({ id, title }) => {
    const plugin = await findPlugin(id, env);
    return plugin === undefined ? [] : [`${title} keeps the plugin ${plugin.name}, which goes on: ${plugin.removal}`];
  });
  return (await Promise.all(looked)).flat();
}

/** Whether nothing but ours is in the data directory, which exists. */
function isEmptied({ dirs, others, links }: DataFiles): boolean {
  return dirs.length > 0 && others.length + links.length === 0;
}

/** Returns how many paths of ours could not be removed. */
async function clearState(
  state: StateFound,
  made: readonly string[],
  { out, warn }: UninstallContext,
): Promise<number> {
  const { removed, others, failed } = await removeState(state, made);
  for (const path of removed) out(`removed  ${path}`);
  for (const path of others) out(`left in place, not ours:  ${path}`);
  for (const why of failed) warn(why);
  return failed.length;
}

async function findSettings({ env, cwd }: UninstallContext, stateDirs: readonly string[]): Promise<Found> {
  const setUp = lookingSetUp(env, cwd);
  const { noted, all } = await settingsPlaces(setUp, stateDirs);
  const changes: SettingsChange[] = [];
  const refused: string[] = [];
  const userFiles = CLIENTS.flatMap((client) => userSettingsOf(client, env));
  const missing = noted.filter((path) => mayNamePrefix(path) && !userFiles.includes(path) && !existsSync(path));
  for (const path of all) {
    const change = ownEntriesRemoval(path, setUp, stateDirs);
    try {
      const text = await readSettings(path);
      const isNoted = noted.includes(path);
      // A broken file that does not mention us is none of our concern.
      if (!isNoted && (text === undefined || !/jeeves/.test(text))) continue;
      if (isNoted || (text !== undefined && change.remove(text) !== text)) changes.push(change);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      refused.push(`${error.message}; ${error.hint}`);
    }
  }
  return { changes, refused, missing, hasProject: noted.some(isLocalSettings) };
}

/** What `init --project` writes for one client's own user. */
function isLocalSettings(path: string): boolean {
  return CLIENTS.some(({ localSettings }) => localSettings !== undefined && path.endsWith(`/${localSettings}`));
}

/** One file at a time: one that cannot be changed does not keep the others. Returns why files were left. */
async function restoreSettings(changes: readonly SettingsChange[], context: UninstallContext): Promise<string[]> {
  const left: string[] = [];
  const userFiles = CLIENTS.flatMap((client) => userSettingsOf(client, context.env));
  for (const change of changes) {
    const [isGone, isThere] = [!existsSync(dirname(change.path)), existsSync(change.path)];
    try {
      const done = await undoChanges([change], context.env);
      for (const { path, verb } of done) context.out(`${verb}  ${path}`);
      for (const line of lostWords(done)) context.warn(line);
      if (done.length === 0 && isThere) context.out(`nothing of ours was left in  ${change.path}`);
      else if (done.length === 0 && userFiles.includes(change.path)) context.out(`was gone already  ${change.path}`);
      if (isGone && !mayNamePrefix(change.path) && !userFiles.includes(change.path))
        context.warn(`${change.path} is gone; if its project was moved, remove our entries there`);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      left.push(`${error.message}; ${error.hint}`);
    }
  }
  return left;
}
