// Which server in a client's settings is ours: the one that starts our file, wherever that lies. Its name does not count.
import { isRecord } from "@jeeves/base";
import { type Json, jsonChange, objectAt } from "./json-settings.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { SERVER_NAME } from "./what-to-set-up.ts";

/** The name of the research server in LM Studio's settings. */
export const RESEARCH_NAME = "jeeves-research";

const DENY = "MCP_PRUNER_DENY";

const FILES: Readonly<Record<string, RegExp>> = {
  [SERVER_NAME]: /(?<![\w-])mcp-pruner[\\/]+dist[\\/]+index\.js\b|[\\/]jeeves[\\/]+bin[\\/]+mcp-pruner(?![\w-])/,
  [RESEARCH_NAME]:
    /(?<![\w-])research[\\/]+dist[\\/]+mcp-research\.js\b|[\\/]jeeves[\\/]+bin[\\/]+mcp-research(?![\w-])/,
};

/** `words`: the settings' text of a command or of its arguments. Either names our launcher, or a file in a clone. */
export function startsOwnFile(name: string, words: string): boolean {
  return FILES[name]?.test(words) ?? false;
}

/** Where settings in JSON have their servers. */
interface ServerPlace {
  readonly path: string;
  readonly key: string;
  readonly name: string;
}

/** Settings that get our server under a key, and nothing else. */
export function serverChange(path: string, key: string, server: Json): SettingsChange {
  const place = { path, key, name: SERVER_NAME };
  return jsonChange(path, {
    add: (settings, before) => addServer(settings, { ...place, before }, server),
    remove: (settings) => removeServer(settings, place),
  });
}

/** Throws SetupError where another tool's server has the name: what it does is lost with it. */
export function addServer(
  settings: Json,
  { path, key, name, before }: ServerPlace & { readonly before: Json },
  server: Json,
): void {
  const servers = objectAt(settings, key);
  if (Object.hasOwn(servers, name) && !isOwnServer(name, servers[name]))
    throw new SetupError(`${path} has a server "${name}" of its own in its ${key}`, "it was left untouched");
  servers[name] = withOwnDenyList(server, isRecord(before[key]) ? before[key][name] : undefined);
}

/** What the user forbade our server stays forbidden when it is set up again. */
function withOwnDenyList(server: Json, before: unknown): Json {
  for (const key of ["env", "environment"]) {
    const [now, then] = [server[key], isRecord(before) ? before[key] : undefined];
    if (isRecord(now) && isRecord(then) && typeof then[DENY] === "string")
      return { ...server, [key]: { ...now, [DENY]: then[DENY] } };
  }
  return server;
}

/** Takes out the server of this name if it starts our file; another tool's server stays. */
export function removeServer(settings: Json, { key, name }: Omit<ServerPlace, "path">): void {
  const servers = settings[key];
  if (isRecord(servers) && isOwnServer(name, servers[name])) delete servers[name];
}

/** opencode has program and arguments in one list. */
function isOwnServer(name: string, server: unknown): boolean {
  return isRecord(server) && startsOwnFile(name, JSON.stringify([server.command, server.args]));
}
