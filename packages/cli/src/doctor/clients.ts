// The coding agents on this machine: which version, whether they are connected, and by which of two ways.
import { type ClientTraits, homeOf, projectSettingsOf, traitsOf, userSettingsOf } from "@jeeves/base";
import type { FoundClient } from "../find-clients.ts";
import { changesFor, SET_UPS } from "../init/changes-for.ts";
import { readSettings, undoChanges } from "../init/settings-file.ts";
import { findShellPrefix } from "../init/shell-prefix.ts";
import { looseJsonIn } from "../init/text/json-text.ts";
import { COMMANDS_NOT_CUT } from "../setup/plan-setup.ts";
import { findPlugin } from "../setup/plugins.ts";
import { showCut } from "../setup/show-cut.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { lookingSetUp } from "../uninstall/settings-places.ts";
import { ageOf } from "../versions.ts";
import { askVersion } from "./ask-version.ts";
import { bad, type Check, good, note, withFix } from "./check.ts";
import { findHookTrust, HOW_TO_TRUST } from "./hook-trust.ts";

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** One check for each client that is installed. */
export async function checkClients(clients: readonly FoundClient[], place: Place): Promise<readonly Check[]> {
  if (clients.length === 0) {
    return [note("clients", "no coding agent was found", "install one, e.g. npm install --global @openai/codex")];
  }
  return Promise.all(clients.map((client) => checkClient(client, place)));
}

async function checkClient(client: FoundClient, place: Place): Promise<Check> {
  const { env } = place;
  const { title, name, found, isProgram, isConnected, isShadow } = client;
  const version = isProgram ? await askVersion(found, env) : undefined;
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
    const found = `${seen}, but ${title} ignores everything in ${broken.path}: it has ${broken.what} in line ${broken.line}`;
    return bad(label, found, "take it out: its settings are strict JSON");
  }
  if (plugin === undefined && !isConnected) return note(label, `${seen}, not connected`, ownCommand("setup", env));
  const way = plugin === undefined ? "connected" : `connected by the plugin ${plugin.name}`;
  // An older client may silently ignore hooks and result forms.
  if (age === "older") {
    const found = `${version}, ${way}, but older than ${traits.testedVersion}, which hooks were tested with`;
    return note(label, found, `update ${title}`);
  }
  if (isShadow)
    return note(label, `${seen}, ${way}, its settings say shadow: nothing is cut`, ownCommand(`init ${name}`, env));
  if (SET_UPS[name].trust !== undefined && (await findHookTrust(env, place.cwd)).open > 0)
    return note(label, `${seen}, ${way}, but its hooks are not trusted: nothing is cut until they are`, HOW_TO_TRUST);
  return plugin === undefined ? byCut(client, place, `${seen}, ${way}`) : byPlugin(client, place, `${seen}, ${way}`);
}

/** One real cut through what its settings name, as `jeeves setup` shows it. */
async function byCut(client: FoundClient, { env, cwd }: Place, way: string): Promise<Check> {
  const label = client.title.toLowerCase();
  const setUp = lookingSetUp(env, cwd);
  const scopes = await Promise.all(
    (["project", "user"] as const).map((scope) => changesFor(client.name, { ...setUp, scope })),
  );
  const cut = await showCut({ client, setUp, changes: scopes.flat() });
  if (cut.kind === "failed")
    return bad(label, `${way}, but a try failed: ${cut.why}`, ownCommand(`init ${client.name}`, env));
  if (cut.kind === "answers") return good(label, `${way}; its server answers`);
  return good(label, `${way}; tried: ${cut.before} lines of ${cut.way} → ${cut.lines.length}`);
}

/** A plugin cannot set the program in front of commands. */
async function byPlugin({ name, title }: FoundClient, place: Place, way: string): Promise<Check> {
  const prefix = await findShellPrefix(traitsOf(name), place);
  if (prefix?.kind !== "none") return good(title.toLowerCase(), way);
  const mend = ownCommand(`init ${name} --commands`, place.env);
  return note(title.toLowerCase(), `${way}; ${COMMANDS_NOT_CUT}`, mend);
}

/** The first settings file that the client rejects as a whole. */
async function rejectedSettings(traits: ClientTraits, { env, cwd }: Place) {
  if (traits.isStrictJson !== true) return undefined;
  for (const path of [...userSettingsOf(traits, env), ...projectSettingsOf(traits, cwd)]) {
    const text = await readSettings(path).catch(() => undefined);
    const loose = text === undefined ? undefined : looseJsonIn(text);
    if (loose !== undefined) return { path, ...loose };
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
