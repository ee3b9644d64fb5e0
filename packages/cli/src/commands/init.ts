// `jeeves init CLIENT`: writes a client's real configuration, or prints it, or takes ours out again. Exit code 2 and no
// file touched where one of them cannot be changed safely.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type ClientId, homeOf, traitsOf } from "@jeeves/base";
import { changesFor, SET_UPS } from "../init/changes-for.ts";
import { connectClient, toLine, trackedWords } from "../init/connect-client.ts";
import { lostWords, readSettings, type SettingsChange, undoChanges } from "../init/settings-file.ts";
import { SetupError } from "../init/setup-error.ts";
import { findShellPrefix, prefixWords } from "../init/shell-prefix.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { removeUnusedLaunchers } from "../launchers/remove-launchers.ts";
import { findHooksOff } from "../setup/hooks-off.ts";
import { findPlugin } from "../setup/plugins.ts";
import { ownCommand } from "../terminal/own-command.ts";

interface InitOptions {
  readonly project?: boolean;
  readonly user?: boolean;
  readonly hooks?: boolean;
  readonly tools?: boolean;
  readonly both?: boolean;
  readonly commands?: boolean;
  readonly shadow?: boolean;
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly root?: readonly string[];
  readonly file?: string;
}

/**
 * Writes the client's settings; with `print` only prints them, with `remove` takes ours out of them. Exit code 2 where
 * a file cannot be changed.
 */
export async function initCommand(client: ClientId, options: InitOptions): Promise<void> {
  const { env } = process;
  const { serverPath, researchPath, execPath } = dataLayoutOf(env);
  const setUp: SetUp = {
    scope: options.project === true ? "project" : "user",
    parts: partsOf(client, options),
    shadow: options.shadow === true,
    cwd: process.cwd(),
    env,
    home: homeOf(env),
    roots: options.root ?? ["."],
    ...(options.file === undefined ? {} : { file: options.file }),
    // Faults in what is taken out do not matter.
    warn: (words) => void (options.remove === true || process.stderr.write(`jeeves: ${words}\n`)),
    ...{ serverPath, researchPath, execPath },
  };
  const out = (line: string) => process.stdout.write(`${line}\n`);
  try {
    refuseUnknownParts(client, setUp);
    if (options.remove !== true && options.print !== true) await refuseSecond(client, setUp);
    const changes = await changesFor(client, setUp);
    if (options.print === true) {
      if (!existsSync(serverPath))
        out(`# ${dirname(serverPath)} is not there yet: ${ownCommand(`init ${client}`)} writes it`);
      return await print(changes, { out, warn: setUp.warn });
    }
    const { launched, done } =
      options.remove === true
        ? { launched: [], done: await undoChanges(changes, env) }
        : await connectClient(client, setUp, changes);
    for (const line of launched) out(line);
    for (const each of done) out(await toLine(each));
    for (const line of lostWords(done)) process.stderr.write(`jeeves: ${line}\n`);
    if (options.remove !== true) for (const line of await trackedWords(done, env)) setUp.warn(line);
    if (options.remove === true) for (const line of await removeUnusedLaunchers(setUp)) out(line);
    if (done.length === 0 && options.remove === true) for (const line of await whyNothing(client, setUp)) out(line);
    else if (options.remove !== true) {
      const limit = await findLimit(client, setUp);
      if (done.length > 0) for (const line of wordsFor(client, setUp, limit)) out(line);
      else
        out(
          `nothing to do: it is as it should be${limit === undefined ? "" : `, but ${traitsOf(client).title}'s ${limit}`}`,
        );
    }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`jeeves: ${error.message}\n        ${error.hint}\n`);
    process.exitCode = 2;
  }
}

/** Throws SetupError where the client has none of what was asked for. */
function refuseUnknownParts(client: ClientId, { parts, scope }: SetUp): void {
  const { title, hasHooks, knowsProjects, shellPrefix } = traitsOf(client);
  const again = ownCommand(`init ${client}`);
  if (parts === "hooks" && !hasHooks)
    throw new SetupError(`${title} has no hooks that we can use; nothing was changed`, `${again} sets up our tools`);
  if (scope === "project" && !knowsProjects)
    throw new SetupError(
      `${title} has no settings for a project, only one file for its user; nothing was changed`,
      `${again} --root DIR names the directory that its servers may see; --file PATH another file`,
    );
  if (parts === "commands" && shellPrefix === undefined)
    throw new SetupError(`${title} has no shell prefix to set; nothing was changed`, "its plugin does all there is");
}

/** Throws SetupError where the client has our plugin already, or where another tool has the shell prefix. */
async function refuseSecond(client: ClientId, setUp: SetUp): Promise<void> {
  const traits = traitsOf(client);
  if (setUp.parts === "commands") {
    const prefix = await findShellPrefix(traits, setUp);
    if (prefix?.kind === "other") {
      const hint = "a client takes one such program: take that one out and run this again; nothing was changed";
      throw new SetupError(prefixWords(prefix), hint);
    }
    return;
  }
  const plugin = await findPlugin(client, setUp.env);
  if (plugin === undefined) return;
  throw new SetupError(
    `${traits.title} has the plugin ${plugin.name}, which does the same: its results would be cut twice`,
    `nothing has to be done; to have it in the settings instead: ${plugin.removal}, then this again; nothing was changed`,
  );
}

/** By default hooks alone, for clients that have them: they cut the client's own tools, and cost hardly any prompt. */
export function partsOf(client: ClientId, { hooks, tools, both, commands }: InitOptions): SetUp["parts"] {
  if (commands === true) return "commands";
  if (hooks === true) return "hooks";
  if (tools === true) return "tools";
  return both === true || !traitsOf(client).hasHooks ? "both" : "hooks";
}

/** Lines that tell why nothing was taken out: our entries may be in the files of the other scope. */
async function whyNothing(client: ClientId, setUp: SetUp): Promise<string[]> {
  const isProject = setUp.scope === "project";
  const others = await changesFor(client, { ...setUp, scope: isProject ? "user" : "project" });
  const held: string[] = [];
  for (const { path, remove } of others) {
    try {
      const content = await readSettings(path);
      if (content !== undefined && remove(content) !== content) held.push(path);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error; // this file is only looked at for the hint
    }
  }
  const nothing = `nothing to do: nothing of ours is there ${isProject ? "for this directory" : "for this user"}`;
  const again = `${ownCommand(`init ${client}`)} ${isProject ? "" : "--project "}--remove`;
  return [nothing, ...held.map((path) => `${path} has it: ${again}`)];
}

/** What the user's own settings keep from being cut; undefined where they leave everything to us. */
async function findLimit(client: ClientId, setUp: SetUp): Promise<string | undefined> {
  const { parts, env, cwd } = setUp;
  if (parts === "tools") return undefined;
  const traits = traitsOf(client);
  const off = parts === "commands" ? undefined : await findHooksOff(traits, { env, cwd });
  const prefix = await findShellPrefix(traits, setUp);
  const isOther = prefix?.kind === "other";
  if (off === undefined) return isOther ? `Read and Grep are cut; its ${prefixWords(prefix)}` : undefined;
  // Commands under the shell prefix need no hook.
  const hasCommands = traits.shellPrefix !== undefined && !isOther;
  return hasCommands ? `commands are cut, its Read and Grep are not: ${off}` : `own tools are not cut: ${off}`;
}

/** The files as they would be; of one that cannot be changed, what its owner would have to put into it. */
async function print(
  changes: readonly SettingsChange[],
  { out, warn }: { readonly out: (line: string) => void; readonly warn: (words: string) => void },
): Promise<void> {
  for (const { path, add } of changes) {
    if (add === undefined) continue;
    let text: string;
    try {
      text = add(await readSettings(path));
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      warn(`${error.message}: here is our part alone`);
      text = add(undefined);
    }
    out(`# ${path}\n${text}`);
  }
}

function wordsFor(client: ClientId, setUp: SetUp, limit: string | undefined): string[] {
  const { title, knowsProjects } = traitsOf(client);
  const isAdded = setUp.parts === "commands";
  const tools = isAdded
    ? "Commands are cut, failing ones too, from its next start on; the plugin does the rest."
    : setUp.parts === "hooks" && limit !== undefined
      ? `${title}'s ${limit}.`
      : setUp.parts === "hooks"
        ? `${title}'s own tools are cut; ${SET_UPS[client].wayBack ?? "recover_text"} brings back what was left out.`
        : "The tools leave bash out: an allowed MCP bash would step around your own rules for commands and Codex' sandbox.";
  const again = `${ownCommand(`init ${client}`)}${setUp.scope === "project" ? " --project" : ""}`;
  const mode = setUp.shadow
    ? [`Shadow: nothing is cut until ${again}; ${ownCommand("stats")} shows what would have been saved.`]
    : [];
  if (!knowsProjects) {
    const roots = setUp.roots.map((root) => resolve(setUp.cwd, root)).join(", ");
    const first = setUp.roots.length > 1 ? " (read and grep: the first)" : "";
    return [tools, `${title} has one mcp.json for its user; the servers see ${roots}${first}`, ...mode];
  }
  const { trust } = SET_UPS[client];
  const paths = "What was written names paths of this machine: it is not for your repository.";
  return [
    tools,
    ...(trust !== undefined && setUp.parts !== "tools" ? [trust] : []),
    ...(setUp.scope === "project" ? [paths] : []),
    ...mode,
  ];
}
