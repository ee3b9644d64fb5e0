// Whether Codex runs our hooks: it runs none that its user did not trust in /hooks, and gives no sign of it. Trust is a
// table of its config.toml, `hooks.state`, with a key for each hook (FILE:moment:group:hook) and the hash of what it is.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { HOOK_TOOL } from "@jeeves/intercept";
import { codexHookHash } from "@jeeves/runner";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { readSettings } from "../init/settings-file.ts";
import { findPlugin } from "../setup/plugins.ts";
import { type Check, good, note } from "./check.ts";

const NAME = "codex hooks";
const CODEX = traitsOf("codex");
const PLUGIN_HOOKS = "hooks/hooks.json";

interface OwnHook {
  readonly key: string;
  readonly hash: string;
}

/** What its user has to do before Codex runs a hook. */
export const HOW_TO_TRUST = "start codex and say yes in its /hooks";

/** No check where none of our hooks is set up. */
export async function checkHookTrust(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly Check[]> {
  const { all, open, wasTrusted } = await findHookTrust(env, cwd);
  if (all === 0) return [];
  if (open === 0) return [good(NAME, "trusted")];
  const why = wasTrusted ? ", or changed since they were, or turned off" : "";
  const found = `${open} of ${all} are not trusted${why}: until they are, Codex leaves them out`;
  return [note(NAME, found, HOW_TO_TRUST)];
}

/** Of our hooks in Codex' settings and in its plugin: how many there are, and how many Codex leaves out. */
export async function findHookTrust(
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ readonly all: number; readonly open: number; readonly wasTrusted: boolean }> {
  const home = clientHomeOf(CODEX, env);
  const hooks: OwnHook[] = await pluginHooks(home, env);
  for (const dir of new Set([home, join(cwd, ".codex")])) hooks.push(...(await ownHooks(join(dir, "hooks.json"))));
  const states = await trustedIn(join(home, "config.toml"));
  const stateOf = ({ key }: OwnHook) => states[key];
  const open = hooks.filter((hook) => !isTrusted(stateOf(hook), hook.hash));
  return { all: hooks.length, open: open.length, wasTrusted: open.some((hook) => isRecord(stateOf(hook))) };
}

/** A plugin's hooks have its name in their keys: NAME@MARKETPLACE:hooks/hooks.json. */
async function pluginHooks(home: string, env: NodeJS.ProcessEnv): Promise<OwnHook[]> {
  const plugin = await findPlugin("codex", env);
  if (plugin === undefined) return [];
  const [name = "", marketplace = ""] = plugin.name.split("@");
  const versions = join(home, "plugins", "cache", marketplace, name);
  const newest = (await readdir(versions).catch(() => [])).sort((one, other) => one.localeCompare(other, "en")).at(-1);
  return newest === undefined ? [] : ownHooks(join(versions, newest, PLUGIN_HOOKS), `${plugin.name}:${PLUGIN_HOOKS}`);
}

async function ownHooks(path: string, source = path): Promise<OwnHook[]> {
  const text = await readSettings(path).catch(() => undefined);
  const settings = text === undefined ? undefined : parseJsonc(text);
  const moments = isRecord(settings) && isRecord(settings.hooks) ? Object.entries(settings.hooks) : [];
  return moments.flatMap(([moment, groups]) =>
    listOf(groups).flatMap((group, at) => {
      if (!isRecord(group)) return [];
      const matcher = typeof group.matcher === "string" ? group.matcher : undefined;
      return listOf(group.hooks).flatMap((hook, index): OwnHook[] => {
        if (!isRecord(hook) || hook.tool !== HOOK_TOOL) return [];
        const name = toSnake(moment);
        return [{ key: `${source}:${name}:${at}:${index}`, hash: codexHookHash(name, matcher, hook) }];
      });
    }),
  );
}

async function trustedIn(path: string): Promise<Record<string, unknown>> {
  try {
    const { hooks } = parse(((await readSettings(path)) ?? "").replace(/^\uFEFF/, ""));
    return isRecord(hooks) && isRecord(hooks.state) ? hooks.state : {};
  } catch {
    return {}; // a broken config.toml is named where it is looked at
  }
}

/** The hash of a plugin's hook goes on with that of the plugin's files, which we do not know: HOOK/FILES. */
function isTrusted(state: unknown, hash: string): boolean {
  if (!isRecord(state) || state.enabled === false) return false;
  return String(state.trusted_hash).split("/")[0] === hash;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toSnake(moment: string): string {
  return moment.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
