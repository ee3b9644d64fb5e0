// opencode: its server in opencode.json; hooks are a plugin, a file of its own that loads the rest from the data directory
// and does nothing where that is gone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { clientHomeOf, traitsOf } from "@jeeves/base";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import type { Json } from "./json-settings.ts";
import { serverChange } from "./own-server.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

const CLIENT = traitsOf("opencode");
const OPTIONS = /^const options = (\{.*?^\});$/ms;
const HEAD = "// Written by jeeves init opencode";

/** The files of opencode, and how they change. */
export function opencodeChanges(setUp: SetUp): SettingsChange[] {
  const { scope, cwd, parts } = setUp;
  const userDir = clientHomeOf(CLIENT, { ...setUp.env, HOME: setUp.home });
  const server = { type: "local", command: [setUp.serverPath], environment: serverEnv(setUp), enabled: true };
  const dir = scope === "project" ? cwd : userDir;
  const servers = serverChanges(dir, server);
  const [file = ""] = CLIENT.plugins?.[scope] ?? [];
  const plugin = pluginChange(join(dir, file), setUp);
  // What an earlier init wrote for the other part is taken out.
  if (parts === "hooks") return [...servers.map(withoutAdd), plugin];
  return parts === "tools" ? [...servers, withoutAdd(plugin)] : [...servers, plugin];
}

/** Of two settings files, opencode reads the second one last, and writes to it (Config.globalConfigFile). */
function serverChanges(dir: string, server: Json): SettingsChange[] {
  const files = ["opencode.json", "opencode.jsonc"].map((name) => join(dir, name));
  const chosen = files.findLast((path) => existsSync(path)) ?? join(dir, "opencode.json");
  // Our server may be in the other file, from a time when that was the only one.
  return files.map((path) => {
    const whole = serverChange(path, "mcp", server);
    return path === chosen ? whole : withoutAdd(whole);
  });
}

function withoutAdd({ path, remove }: SettingsChange): SettingsChange {
  return { path, remove };
}

function pluginChange(path: string, setUp: SetUp): SettingsChange {
  return {
    path,
    what: "a plugin that shortens what its own tools return",
    add(content) {
      if (content !== undefined && !isOwnPlugin(content))
        throw new SetupError(`${path} is a plugin of its own`, "it was left untouched");
      return pluginText(setUp);
    },
    remove: (content) => (isOwnPlugin(content) ? undefined : content),
  };
}

/** Whether a plugin file is ours. */
export function isOwnPlugin(content: string): boolean {
  return content.startsWith(HEAD);
}

function pluginText(setUp: SetUp): string {
  const { pluginPath } = dataLayoutOf(setUp.env);
  // Its own Read is the way back: no tool is listed.
  const options = { launcher: setUp.serverPath, env: serverEnv(setUp, []), ownServer: SERVER_NAME };
  return `${HEAD}; with --remove it goes again. Without the file that it loads it does nothing.
const options = ${JSON.stringify(options, null, 2)};

export default ${loadingHooks(pathToFileURL(pluginPath).href)};
`;
}

/** The function of a plugin file that loads the hooks for its `options`, and gives none where that fails. */
export function loadingHooks(module: string): string {
  return `async (input) => {
  try {
    const { createHooks } = await import(${JSON.stringify(module)});
    return createHooks(input, options);
  } catch {
    return {};
  }
}`;
}

/** Our plugin file with other values for its server's variables. */
export function withPluginEnv(content: string, env: Readonly<Record<string, string | undefined>>): string {
  return content.replace(OPTIONS, (_, text: string) => {
    const options = JSON.parse(text);
    return `const options = ${JSON.stringify({ ...options, env: { ...options.env, ...env } }, null, 2)};`;
  });
}
