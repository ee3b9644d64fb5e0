// Whether the user turned a client's hooks off: then ours do nothing, wherever they are set up.
import { type ClientTraits, isRecord, projectSettingsOf, userSettingsOf } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { readSettings } from "../init/settings-file.ts";
import { SERVER_NAME } from "../init/what-to-set-up.ts";

interface Where {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** For people: which file turns the client's hooks off, and by what; undefined where they run. A project's file wins. */
export async function findHooksOff(client: ClientTraits, { env, cwd }: Where): Promise<string | undefined> {
  const { hooksOff: off } = client;
  if (off === undefined) return undefined;
  let words: string | undefined;
  for (const path of [...userSettingsOf(client, env), ...projectSettingsOf(client, cwd)]) {
    const settings = await settingsAt(path);
    const value = valueAt(settings, off.key);
    if (typeof value === "boolean") words = value === off.value ? `${path} says ${off.key}: ${value}` : undefined;
    const names = off.names === undefined ? undefined : valueAt(settings, off.names);
    if (Array.isArray(names) && names.includes(SERVER_NAME)) return inWords(`${path} names ours in ${off.names}`);
  }
  return words === undefined ? undefined : inWords(words);
}

const inWords = (why: string) => `its hooks are turned off: ${why}`;

async function settingsAt(path: string): Promise<unknown> {
  const text = (await readSettings(path).catch(() => undefined)) ?? "";
  try {
    return path.endsWith(".toml") ? parse(text.replace(/^\uFEFF/, "")) : parseJsonc(text);
  } catch {
    // A file that cannot be read is passed over here; what writes to it reports why.
    return undefined;
  }
}

function valueAt(settings: unknown, key: string): unknown {
  return key.split(".").reduce((value, step) => (isRecord(value) ? value[step] : undefined), settings);
}
