// What `jeeves setup` would do: for each client on this machine the files that it would write, or why there are none.
import { type ClientId, homeOf, traitsOf } from "@jeeves/base";
import { clientVersion } from "../doctor/ask-version.ts";
import { findHookTrust, HOW_TO_TRUST } from "../doctor/hook-trust.ts";
import { type FoundClient, findClients } from "../find-clients.ts";
import { changesFor, SET_UPS } from "../init/changes-for.ts";
import { type Preview, previewChanges, type SettingsChange } from "../init/settings-file.ts";
import { SetupError } from "../init/setup-error.ts";
import { findShellPrefix, prefixWords } from "../init/shell-prefix.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { findHooksOff } from "./hooks-off.ts";
import { findPlugin } from "./plugins.ts";

/** One client, and what would be done for it. */
export interface ClientPlan {
  readonly client: FoundClient;
  readonly version?: string;
  readonly setUp: SetUp;
  readonly changes: readonly SettingsChange[];
  readonly previews: readonly Preview[];
  /** Why nothing is written: it has our plugin. */
  readonly plugin?: string;
  /** Why not all of its results are cut, and what would help. */
  readonly lacks?: { readonly what: string; readonly mend?: string };
  /** Why it cannot be set up, and what would help. */
  readonly refused?: SetupError;
}

interface SetupWishes {
  readonly clients?: readonly ClientId[];
  readonly shadow: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly warn: (words: string) => void;
}

/** What a client with our plugin lacks until the program in front of its commands is set. */
export const COMMANDS_NOT_CUT = "commands are not cut yet";

/** Looks only; writes nothing. In the table's order. */
export async function planSetup(wishes: SetupWishes): Promise<readonly ClientPlan[]> {
  const found = await findClients(wishes);
  const chosen = found.filter(({ name }) => wishes.clients === undefined || wishes.clients.includes(name));
  return Promise.all(chosen.map((client) => planClient(client, wishes)));
}

/** Whether something would be written for this client. */
export function isToDo({ previews, plugin, refused }: ClientPlan): boolean {
  return plugin === undefined && refused === undefined && previews.some(({ verb }) => verb !== "keep");
}

async function planClient(client: FoundClient, wishes: SetupWishes): Promise<ClientPlan> {
  const { env } = wishes;
  const version = client.isProgram ? await clientVersion(client.found, env) : undefined;
  const setUp = setUpOf(client.name, wishes);
  const base = { client, setUp, changes: [], previews: [], ...(version === undefined ? {} : { version }) };
  const plugin = await findPlugin(client.name, env);
  const lacks = await lackOf(client.name, wishes, plugin !== undefined);
  if (plugin !== undefined) return { ...base, plugin: plugin.name, ...lacks };
  try {
    const changes = await changesFor(client.name, setUp);
    return { ...base, changes, previews: await previewChanges(changes, env), ...lacks };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { ...base, refused: error };
  }
}

/** What a client lacks whose hooks its user has not trusted. */
export const HOOKS_NOT_TRUSTED = "its hooks are not trusted: nothing is cut until they are";

/** What its user has to do before hooks run that are turned off. */
export const TURN_ON = "take that setting out";

/** Hooks may be turned off or not trusted yet; the shell prefix may be another tool's, or not set beside a plugin. */
async function lackOf(client: ClientId, wishes: SetupWishes, hasPlugin: boolean): Promise<Pick<ClientPlan, "lacks">> {
  const off = await findHooksOff(traitsOf(client), wishes);
  if (off !== undefined) return { lacks: { what: off, mend: TURN_ON } };
  if (SET_UPS[client].trust !== undefined && (await findHookTrust(wishes.env, wishes.cwd)).open > 0)
    return { lacks: { what: HOOKS_NOT_TRUSTED, mend: HOW_TO_TRUST } };
  const prefix = await findShellPrefix(traitsOf(client), wishes);
  if (prefix?.kind === "other") return { lacks: { what: prefixWords(prefix) } };
  if (prefix?.kind !== "none" || !hasPlugin) return {};
  return { lacks: { what: COMMANDS_NOT_CUT, mend: ownCommand(`init ${client} --commands`, wishes.env) } };
}

function setUpOf(client: ClientId, { shadow, env, cwd, warn }: SetupWishes): SetUp {
  const { serverPath, researchPath, execPath } = dataLayoutOf(env);
  return {
    scope: "user",
    // As `jeeves init` without words: hooks where the client has some, else our tools.
    parts: traitsOf(client).hasHooks ? "hooks" : "both",
    shadow,
    cwd,
    env,
    home: homeOf(env),
    roots: ["."],
    warn,
    ...{ serverPath, researchPath, execPath },
  };
}
