// Whether Codex runs our hooks: it runs none that its user did not trust in /hooks, and says nothing about it. Trust is a
// table of its config.toml, `hooks.state`, with a key for each hook (FILE:moment:group:hook) and the hash of what it is.
import { join } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { HOOK_TOOL } from "@jeeves/intercept";
import { codexHookHash } from "@jeeves/runner";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { readSettings } from "../init/settings-file.ts";
import { type Check, good, note } from "./check.ts";

const NAME = "codex hooks";
const CODEX = traitsOf("codex");

interface OwnHook {
  readonly key: string;
  readonly hash: string;
}

/** No check where none of our hooks is set up. */
export async function checkHookTrust(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly Check[]> {
  const home = clientHomeOf(CODEX, env);
  const hooks: OwnHook[] = [];
  for (const dir of new Set([home, join(cwd, ".codex")])) hooks.push(...(await ownHooks(join(dir, "hooks.json"))));
  if (hooks.length === 0) return [];
  const states = await trustedIn(join(home, "config.toml"));
  const stateOf = ({ key }: OwnHook) => states[key];
  const open = hooks.filter((hook) => !isTrusted(stateOf(hook), hook.hash));
  if (open.length === 0) return [good(NAME, "trusted")];
  const why = open.some((hook) => isRecord(stateOf(hook))) ? ", or changed since they were, or turned off" : "";
  const found = `${open.length} of ${hooks.length} are not trusted${why}: until they are, Codex leaves them out`;
  return [note(NAME, found, "start codex and say yes in its /hooks")];
}

async function ownHooks(path: string): Promise<OwnHook[]> {
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
        return [{ key: `${path}:${name}:${at}:${index}`, hash: codexHookHash(name, matcher, hook) }];
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

function isTrusted(state: unknown, hash: string): boolean {
  return isRecord(state) && state.trusted_hash === hash && state.enabled !== false;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toSnake(moment: string): string {
  return moment.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
