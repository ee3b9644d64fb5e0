// Whether another tool stands in the place of our launcher of commands: a client takes one program, and ours gives way.
import { CLIENTS, type ClientTraits, projectSettingsOf, userSettingsOf } from "@jeeves/base";
import { readSettings } from "../init/settings-file.ts";
import { findShellPrefix, prefixWords } from "../init/shell-prefix.ts";
import { findPlugin } from "../setup/plugins.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { type Check, note } from "./check.ts";

interface Where {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** A note for each client that has our hooks, in its settings or by a plugin, and the program of another tool. */
export async function checkShellPrefix(where: Where): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const client of CLIENTS) {
    const prefix = await findShellPrefix(client, where);
    if (prefix?.kind !== "other") continue;
    const plugin = await findPlugin(client.id, where.env);
    if (plugin === undefined && !(await hasOwnHooks(client, where))) continue;
    const again = ownCommand(`init ${client.id}${plugin === undefined ? "" : " --commands"}`, where.env);
    const mend = `take it out, then ${again}; Read and Grep are cut all the same`;
    checks.push(note("shell prefix", `${client.title}: ${prefixWords(prefix)}`, mend));
  }
  return checks;
}

/** Whether its settings, of the user or of the project, hold a hook of ours that asks our server. */
export async function hasOwnHooks(client: ClientTraits, { env, cwd }: Where): Promise<boolean> {
  const files = [...userSettingsOf(client, env), ...projectSettingsOf(client, cwd)];
  const texts = await Promise.all(files.map((path) => readSettings(path).catch(() => undefined)));
  return texts.some((text) => text?.includes("jeeves_hook") === true);
}
