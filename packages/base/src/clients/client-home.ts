// Where a client keeps its settings and sessions.
import { basename, dirname, join } from "node:path";
import { homeOf } from "../home.ts";
import { CLIENTS, type ClientTraits } from "./clients.ts";

/** The client's own directory. */
export function clientHomeOf({ home }: ClientTraits, env: NodeJS.ProcessEnv): string {
  const named = home.variable === undefined ? undefined : env[home.variable];
  if (named) return named;
  const parent = home.parentVariable === undefined ? undefined : env[home.parentVariable];
  return parent ? join(parent, basename(home.folder)) : join(homeOf(env), home.folder);
}

/** The file that it keeps beside its directory; undefined where it has none. */
export function clientHomeFileOf(client: ClientTraits, env: NodeJS.ProcessEnv): string | undefined {
  if (client.homeFile === undefined) return undefined;
  const { variable } = client.home;
  const named = variable === undefined ? undefined : env[variable];
  return join(named || homeOf(env), client.homeFile);
}

/** The files of the user that may name our server or hold our hooks. */
export function userSettingsOf(client: ClientTraits, env: NodeJS.ProcessEnv): string[] {
  const home = clientHomeOf(client, env);
  const { servers, settings, plugins, homeFile } = client;
  const names = [...servers.user, ...(settings?.user ?? []), ...(plugins?.user ?? [])].filter(
    (name) => name !== homeFile,
  );
  const beside = clientHomeFileOf(client, env);
  return [...(beside === undefined ? [] : [beside]), ...names.map((name) => join(home, name))];
}

/** The same files of a project. */
export function projectSettingsOf(client: ClientTraits, project: string): string[] {
  const { servers, settings, plugins } = client;
  return [...servers.project, ...(settings?.project ?? []), ...(plugins?.project ?? [])].map((name) =>
    join(project, name),
  );
}

/** Whether a settings file may name a program that the client puts in front of every command. */
export function mayNamePrefix(path: string): boolean {
  const folder = basename(dirname(path));
  return (
    CLIENTS.some(({ shellPrefix, settings }) => {
      if (shellPrefix === undefined || settings === undefined) return false;
      return [...settings.user, ...settings.project].some((name) => basename(name) === basename(path));
    }) && !CLIENTS.some(({ shellPrefix, home }) => shellPrefix === undefined && basename(home.folder) === folder)
  );
}
