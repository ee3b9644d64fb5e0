// The coding agents on this machine: which version, whether they are connected, and by which of two ways.
import { join } from "node:path";
import {
  type ClientId,
  type ClientTraits,
  homeOf,
  isRecord,
  projectSettingsOf,
  traitsOf,
  userSettingsOf,
} from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import type { FoundClient } from "../find-clients.ts";
import { changesFor, SET_UPS } from "../init/changes-for.ts";
import { readSettings, undoChanges } from "../init/settings-file.ts";
import { findShellPrefix } from "../init/shell-prefix.ts";
import { looseJsonIn } from "../init/text/json-text.ts";
import { filledIn } from "../plugins/plugin-files.ts";
import { findHooksOff } from "../setup/hooks-off.ts";
import { findManualClients } from "../setup/manual-clients.ts";
import { COMMANDS_NOT_CUT, HOOKS_NOT_TRUSTED, TURN_ON } from "../setup/plan-setup.ts";
import { type FoundPlugin, findPlugin } from "../setup/plugins.ts";
import { type CutPath, showCut } from "../setup/show-cut.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { lookingSetUp } from "../uninstall/settings-places.ts";
import { ageOf } from "../versions.ts";
import { clientVersion } from "./ask-version.ts";
import { bad, type Check, good, note, withFix } from "./check.ts";
import { findHookTrust, HOW_TO_TRUST } from "./hook-trust.ts";
import { hasOwnHooks } from "./shell-prefix.ts";

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** One check for each client that is installed. */
export async function checkClients(clients: readonly FoundClient[], place: Place): Promise<readonly Check[]> {
  const others = (await findManualClients(place)).map(({ title, way, isConnected }) =>
    isConnected
      ? good(title.toLowerCase(), "its settings name our server")
      : note(title.toLowerCase(), "found; it is connected by its own settings, and they do not name our server", way),
  );
  if (clients.length + others.length === 0) {
    return [note("clients", "no coding agent was found", "install one, e.g. npm install --global @openai/codex")];
  }
  return [...(await Promise.all(clients.map((client) => checkClient(client, place)))), ...others];
}

async function checkClient(client: FoundClient, place: Place): Promise<Check> {
  const { env } = place;
  const { title, name, found, isProgram, isConnected, isShadow } = client;
  const version = isProgram ? await clientVersion(found, env) : undefined;
  const traits = traitsOf(name);
  const label = title.toLowerCase();
  const age = ageOf(version, traits);
  const seen = `${version ?? found}${age === "newer" ? ` (newer than ${traits.newestVersion}, the newest that was tried)` : ""}`;
  const plugin = await findPlugin(name, env);
  if (plugin !== undefined && isConnected) {
    const mend = `${ownCommand(`init ${name} --remove`, env)}, or ${plugin.removal}`;
    const check = bad(label, `${seen}, set up twice: in its settings and by the plugin ${plugin.name}`, mend);
    return withFix(check, () => removeDirect(client, place));
  }
  const broken = plugin === undefined && !isConnected ? undefined : await rejectedSettings(traits, place);
  if (broken !== undefined) {
    const found = `${seen}, but ${broken.path} has ${broken.what} in line ${broken.line}: ${title} ${broken.effect}`;
    return bad(label, found, "take it out");
  }
  if (plugin === undefined && !isConnected) return note(label, `${seen}, not connected`, ownCommand("setup", env));
  const way = plugin === undefined ? "connected" : `connected by the plugin ${plugin.name}`;
  if (isShadow)
    return note(label, `${seen}, ${way}, its settings say shadow: nothing is cut`, ownCommand(`init ${name}`, env));
  const off = await findHooksOff(traits, place);
  if (off !== undefined) return note(label, `${seen}, ${way}, but ${off}`, TURN_ON);
  if (SET_UPS[name].trust !== undefined && (await findHookTrust(env, place.cwd)).open > 0)
    return note(label, `${seen}, ${way}, but ${HOOKS_NOT_TRUSTED}`, HOW_TO_TRUST);
  const tried = await byCut(client, place, { way: `${seen}, ${way}`, plugin });
  // An older client may silently ignore hooks and result forms.
  if (age === "older" && tried.state === "good") {
    const found = `${tried.found}, but older than ${traits.testedVersion}, which hooks were tested with`;
    return note(label, found, `update ${title}`);
  }
  if (tried.state !== "good" || (plugin === undefined && !(await hasOwnHooks(traits, place)))) return tried;
  return withoutPrefix(client, place, { tried, isPlugin: plugin !== undefined });
}

interface TestedCut {
  /** For people: the version, and how it is connected. */
  readonly way: string;
  readonly plugin: FoundPlugin | undefined;
}

/** One real cut through what its settings or its plugin name, as `jeeves setup` shows it. */
async function byCut(client: FoundClient, { env, cwd }: Place, { way, plugin }: TestedCut): Promise<Check> {
  const label = client.title.toLowerCase();
  if (plugin !== undefined && plugin.dir === undefined) return good(label, way);
  const parts = plugin?.dir === undefined ? {} : await partsOf(client.name, plugin.dir);
  const setUp = lookingSetUp(env, cwd);
  const scopes = await Promise.all(
    (["user", "project"] as const).map((scope) => changesFor(client.name, { ...setUp, scope })),
  );
  const cut = await showCut({ client, setUp, changes: scopes.flat(), ...parts });
  const again =
    plugin === undefined ? ownCommand(`init ${client.name}`, env) : `${plugin.removal}, then install it again`;
  if (cut.kind === "failed") return bad(label, `${way}, but a try failed: ${cut.why}`, cut.mend ?? again);
  if (cut.kind === "off") return note(label, `${way}, but ${cut.why}`, TURN_ON);
  if (cut.kind === "answers") return good(label, `${way}; its server answers`);
  return good(label, `${way}; tried: ${cut.before} lines of ${cut.way} → ${cut.lines.length}`);
}

/** Where a plugin declares what it starts, and the variable that its client fills in with the plugin's place. */
const IN_PLUGIN: Readonly<Partial<Record<ClientId, { readonly file: string; readonly variable: string }>>> = {
  "claude-code": { file: ".mcp.json", variable: "CLAUDE_PLUGIN_ROOT" },
  codex: { file: ".mcp.json", variable: "CLAUDE_PLUGIN_ROOT" },
  gemini: { file: "hooks/hooks.json", variable: "extensionPath" },
};

/** What a plugin in `dir` starts: by its settings, or as the module that its package names. */
async function partsOf(name: ClientId, dir: string): Promise<Pick<CutPath, "pluginFiles" | "pluginMain">> {
  const settings = IN_PLUGIN[name];
  if (settings !== undefined) {
    const path = join(dir, settings.file);
    const text = await readSettings(path).catch(() => undefined);
    return { pluginFiles: [[path, (text ?? "{}").replaceAll(filledIn(settings.variable), dir)]] };
  }
  // A damaged file is found by the try; it must not end the other checks.
  const about: unknown = parseJsonc((await readSettings(join(dir, "package.json"))) ?? "{}");
  return isRecord(about) && typeof about.main === "string" ? { pluginMain: join(dir, about.main) } : {};
}

/** A note where the shell prefix is missing: a plugin cannot set it, and it may have been taken out of the settings. */
async function withoutPrefix(
  { name, title }: FoundClient,
  place: Place,
  { tried, isPlugin }: { readonly tried: Check; readonly isPlugin: boolean },
): Promise<Check> {
  const prefix = await findShellPrefix(traitsOf(name), place);
  if (prefix?.kind !== "none") return tried;
  const mend = ownCommand(`init ${name}${isPlugin ? " --commands" : ""}`, place.env);
  return note(title.toLowerCase(), `${tried.found}; ${COMMANDS_NOT_CUT}`, mend);
}

/** The first settings file that the client rejects as a whole. */
async function rejectedSettings(traits: ClientTraits, { env, cwd }: Place) {
  const { strictJson } = traits;
  if (strictJson === undefined) return undefined;
  for (const path of [...userSettingsOf(traits, env), ...projectSettingsOf(traits, cwd)]) {
    const text = await readSettings(path).catch(() => undefined);
    const loose = text === undefined ? undefined : looseJsonIn(text, strictJson);
    if (loose !== undefined) return { path, effect: strictJson.effect, ...loose };
  }
  return undefined;
}

/** The plugin stays: the client itself keeps it up to date. */
async function removeDirect({ name, title }: FoundClient, { env, cwd }: Place): Promise<string> {
  const setUp = { ...lookingSetUp(env, cwd), home: homeOf(env) };
  const changes = await Promise.all(
    (["user", "project"] as const).map((scope) => changesFor(name, { ...setUp, scope })),
  );
  const done = await undoChanges(changes.flat(), env);
  return `took ours out of ${done.map(({ path }) => path).join(", ")}; ${title} keeps the plugin`;
}
