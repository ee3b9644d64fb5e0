// The coding agents on this machine: which version, whether they are connected, and by which of two ways.
import { homeOf, traitsOf } from "@jeeves/base";
import type { FoundClient } from "../find-clients.ts";
import { changesFor } from "../init/changes-for.ts";
import { undoChanges } from "../init/settings-file.ts";
import { findPlugin } from "../setup/plugins.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { lookingSetUp } from "../uninstall/settings-places.ts";
import { ageOf } from "../versions.ts";
import { askVersion } from "./ask-version.ts";
import { bad, type Check, good, note, withFix } from "./check.ts";

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
  if (plugin === undefined && !isConnected) return note(label, `${seen}, not connected`, ownCommand("setup", env));
  const way = plugin === undefined ? "connected" : `connected by the plugin ${plugin.name}`;
  // An older client may silently ignore hooks and result forms.
  if (age === "older") {
    const found = `${version}, ${way}, but older than ${traits.testedVersion}, which hooks were tested with`;
    return note(label, found, `update ${title}`);
  }
  return isShadow
    ? note(label, `${seen}, ${way}, its settings say shadow: nothing is cut`, ownCommand(`init ${name}`, env))
    : good(label, `${seen}, ${way}`);
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
