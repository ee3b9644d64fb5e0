// Whether a client has Jeeves as a plugin of its own: then its settings need nothing of ours, and must not have it twice.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientId, clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { parse } from "smol-toml";
import { readSettings } from "../init/settings-file.ts";

/** A plugin of ours: its name for its client, and what removes it: the client's command, or words where it has none. */
export interface FoundPlugin {
  readonly name: string;
  readonly removal: string;
  /** Where its client keeps it, where the client records it. */
  readonly dir?: string;
}

type Look = (home: string) => Promise<FoundPlugin | undefined>;

/** A plugin's name, at its marketplace. */
const NAME = /^jeeves(?:@|$)/;

const LOOKS: Partial<Record<ClientId, Look>> = {
  async "claude-code"(home) {
    const installed = await jsonAt(join(home, "plugins", "installed_plugins.json"));
    const settings = await jsonAt(join(home, "settings.json"));
    const { enabledPlugins: enabled } = settings;
    const names = [...keysOf(installed.plugins), ...keysOf(enabled)].filter((name) => NAME.test(name));
    const name = names.find((each) => !isRecord(enabled) || enabled[each] !== false);
    if (name === undefined) return undefined;
    const places = isRecord(installed.plugins) ? installed.plugins[name] : undefined;
    const paths = (Array.isArray(places) ? places : []).map((place) =>
      isRecord(place) ? place.installPath : undefined,
    );
    const dir = paths.findLast((path) => typeof path === "string");
    return { name, removal: `claude plugin uninstall ${name}`, ...(dir === undefined ? {} : { dir }) };
  },
  async codex(home) {
    const { plugins } = await tomlAt(join(home, "config.toml"));
    if (!isRecord(plugins)) return undefined;
    const name = Object.keys(plugins).find((each) => {
      const plugin = plugins[each];
      return NAME.test(each) && !(isRecord(plugin) && plugin.enabled === false);
    });
    if (name === undefined) return undefined;
    const dir = await cachedDir(join(home, "plugins", "cache"));
    return { name, removal: `codex plugin remove ${name}`, ...(dir === undefined ? {} : { dir }) };
  },
  async gemini(home) {
    const dir = join(home, "extensions", "jeeves");
    if (!existsSync(dir)) return undefined;
    // A linked extension stays where it is.
    const { type, source } = await jsonAt(join(dir, ".gemini-extension-install.json"));
    const isLinked = type === "link" && typeof source === "string";
    return { name: "jeeves", removal: "gemini extensions uninstall jeeves", dir: isLinked ? source : dir };
  },
  async opencode(home) {
    for (const path of traitsOf("opencode").servers.user.map((file) => join(home, file))) {
      const { plugin } = await jsonAt(path);
      for (const entry of Array.isArray(plugin) ? plugin : []) {
        // A name or a path, alone or with options.
        const name: unknown = Array.isArray(entry) ? entry[0] : entry;
        if (typeof name !== "string") continue;
        const dir = await ownPackageAt(name, path);
        if (dir === undefined && !NAME.test(name)) continue;
        const removal = `take ${JSON.stringify(name)} out of "plugin" in ${path}`;
        return { name: "jeeves", removal, ...(dir === undefined ? {} : { dir }) };
      }
    }
    return undefined;
  },
};

/** Our plugin in this client; undefined where there is none. */
export async function findPlugin(client: ClientId, env: NodeJS.ProcessEnv): Promise<FoundPlugin | undefined> {
  return LOOKS[client]?.(clientHomeOf(traitsOf(client), env)).catch(() => undefined);
}

/** Codex keeps a plugin in a folder for its marketplace, its name and its version. */
async function cachedDir(cache: string): Promise<string | undefined> {
  const namesIn = (dir: string) => readdir(dir).catch(() => []);
  for (const market of await namesIn(cache))
    for (const version of await namesIn(join(cache, market, "jeeves"))) {
      const dir = join(cache, market, "jeeves", version);
      if (existsSync(join(dir, ".mcp.json"))) return dir;
    }
  return undefined;
}

/** The folder of our package; `path` is that folder or a file in it, as the settings name it. */
async function ownPackageAt(path: string, settings: string): Promise<string | undefined> {
  if (!/^(?:file:|\.|\/)/.test(path)) return undefined;
  const place = path.startsWith("file:") ? fileURLToPath(path) : resolve(dirname(settings), path);
  for (const dir of [place, dirname(place)]) {
    const { name } = await jsonAt(join(dir, "package.json")).catch(() => ({ name: "" }));
    if (name === "jeeves") return dir;
  }
  return undefined;
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

async function jsonAt(path: string): Promise<Record<string, unknown>> {
  const value = parseJsonc((await readSettings(path)) ?? "{}");
  return isRecord(value) ? value : {};
}

async function tomlAt(path: string): Promise<Record<string, unknown>> {
  return parse(((await readSettings(path)) ?? "").replace(/^\uFEFF/, ""));
}
