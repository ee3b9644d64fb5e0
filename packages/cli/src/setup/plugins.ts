// Whether a client has Jeeves as a plugin of its own: then its settings need nothing of ours, and must not have it twice.
import { existsSync } from "node:fs";
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
    return name === undefined ? undefined : { name, removal: `claude plugin uninstall ${name}` };
  },
  async codex(home) {
    const { plugins } = await tomlAt(join(home, "config.toml"));
    if (!isRecord(plugins)) return undefined;
    const name = Object.keys(plugins).find((each) => {
      const plugin = plugins[each];
      return NAME.test(each) && !(isRecord(plugin) && plugin.enabled === false);
    });
    return name === undefined ? undefined : { name, removal: `codex plugin remove ${name}` };
  },
  async gemini(home) {
    const isThere = existsSync(join(home, "extensions", "jeeves"));
    return isThere ? { name: "jeeves", removal: "gemini extensions uninstall jeeves" } : undefined;
  },
  async opencode(home) {
    for (const path of traitsOf("opencode").servers.user.map((file) => join(home, file))) {
      const { plugin } = await jsonAt(path);
      for (const entry of Array.isArray(plugin) ? plugin : []) {
        // A name or a path, alone or with options.
        const name: unknown = Array.isArray(entry) ? entry[0] : entry;
        if (typeof name === "string" && (NAME.test(name) || (await isOwnPackage(name, path))))
          return { name: "jeeves", removal: `take ${JSON.stringify(name)} out of "plugin" in ${path}` };
      }
    }
    return undefined;
  },
};

/** Our plugin in this client; undefined where there is none. */
export async function findPlugin(client: ClientId, env: NodeJS.ProcessEnv): Promise<FoundPlugin | undefined> {
  return LOOKS[client]?.(clientHomeOf(traitsOf(client), env)).catch(() => undefined);
}

/** `path`: a folder, or a file in it, as the settings name it. */
async function isOwnPackage(path: string, settings: string): Promise<boolean> {
  if (!/^(?:file:|\.|\/)/.test(path)) return false;
  const place = path.startsWith("file:") ? fileURLToPath(path) : resolve(dirname(settings), path);
  const manifests = await Promise.all(
    [place, dirname(place)].map((dir) => jsonAt(join(dir, "package.json")).catch(() => ({ name: "" }))),
  );
  return manifests.some(({ name }) => name === "jeeves");
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
