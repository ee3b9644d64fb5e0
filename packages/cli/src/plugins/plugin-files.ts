// What a plugin is made of: its files by path, beside the package that it carries. Server and hooks are what `jeeves init`
// would write into the client's settings; only the places differ, because a client puts plugins where it likes.
import type { ClientId } from "@jeeves/base";
import { SET_UPS } from "../init/changes-for.ts";
import { SERVER_NAME, type SetUp } from "../init/what-to-set-up.ts";

/** Text by path in the plugin's folder. */
export type PluginFiles = Readonly<Record<string, string>>;

/** The fields that the manifests of all plugins have. */
export interface PluginAbout {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
}

/** The author in all manifests. */
export const AUTHOR = { name: "the Jeeves contributors" };
/** In the package that a plugin carries. */
export const SERVER_FILE = "packages/mcp-pruner/dist/index.js";
const EXEC_FILE = "packages/cli/bin/jeeves-exec";

/** A variable as clients have it in settings, and fill it in. */
export const filledIn = (variable: string): string => `\${${variable}}`;

/** A file of JSON. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The set-up of a plugin whose files are under `root`, as the client writes it. */
export function pluginSetUp(root: string, parts: SetUp["parts"]): SetUp {
  return {
    scope: "user",
    parts,
    shadow: false,
    cwd: "/",
    env: {},
    home: "/",
    serverPath: `${root}/${SERVER_FILE}`,
    researchPath: `${root}/packages/research/dist/mcp-research.js`,
    execPath: `${root}/${EXEC_FILE}`,
    roots: [],
    warn: () => {},
  };
}

/** The settings that `jeeves init` would write for the client, file by file, where they are JSON. */
export function settingsOf(client: ClientId, setUp: SetUp): readonly Readonly<Record<string, unknown>>[] {
  const texts = SET_UPS[client]
    .changes(setUp)
    .flatMap(({ path, add }) => (path.endsWith(".json") ? (add?.(undefined) ?? []) : []));
  return texts.map((text) => JSON.parse(text));
}

/**
 * The hooks among them, for a server that the client knows by another name. Where jeeves-exec and the client's rules are
 * is left to the server, which finds both from where it was started.
 */
export function hooksOf(client: ClientId, setUp: SetUp, server: string): unknown {
  const [hooks] = settingsOf(client, setUp).flatMap((settings) => settings.hooks ?? []);
  return JSON.parse(JSON.stringify(hooks), (key, value) => {
    if (key === "exec_path" || key === "rules_dir") return undefined;
    if (key === "server" && value === SERVER_NAME) return server;
    // As it stands in the names of tools.
    return key === "own_server" && value === SERVER_NAME ? server.replaceAll(":", "_") : value;
  });
}
