// The plugin for Codex, and the marketplace that offers it. Codex fills nothing in where a plugin's server is described,
// and starts it in the project's directory: so a shell finds the plugin in Codex' own directory.
import { traitsOf } from "@jeeves/base";
import { SERVER_NAME, serverEnv } from "../init/what-to-set-up.ts";
import { AUTHOR, hooksOf, json, type PluginAbout, type PluginFiles, pluginSetUp, SERVER_FILE } from "./plugin-files.ts";

const CLIENT = "codex";
const { home } = traitsOf(CLIENT);

/** The plugin's own files. */
export function codexPlugin(about: PluginAbout): PluginFiles {
  const { name, version } = about;
  const setUp = pluginSetUp("", "hooks");
  const variable = home.variable ?? "HOME";
  const userHome = `\${${variable}:-$HOME/${home.folder}}`;
  // Any marketplace may offer it; one that is found is the one that was installed.
  const find = `for p in "$h"/plugins/cache/*/${name}/${version}/${SERVER_FILE}; do [ -f "$p" ] && exec node "$p"; done`;
  const server = {
    command: "sh",
    args: ["-c", `h=${userHome}; export ${variable}="$h"; ${find}; echo "jeeves: no plugin in $h" >&2; exit 1`],
    env: { ...serverEnv(setUp), JEEVES_PLUGIN: CLIENT },
    env_vars: [variable, "JEEVES_STATE_DIR", "JEEVES_DATABASE_URL", "JEEVES_MODE", "XDG_STATE_HOME"],
    default_tools_approval_mode: "approve",
  };
  return {
    ".codex-plugin/plugin.json": json({
      ...about,
      author: AUTHOR,
      mcpServers: "./.mcp.json",
      hooks: "./hooks/hooks.json",
    }),
    ".mcp.json": json({ mcpServers: { [SERVER_NAME]: server } }),
    "hooks/hooks.json": json({ hooks: hooksOf(CLIENT, setUp, SERVER_NAME) }),
  };
}

/** The marketplace's own file; `path`: the plugin's folder. */
export function codexMarketplace({ name }: PluginAbout, path: string): PluginFiles {
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" };
  const plugins = [{ name, source: { source: "local", path }, policy, category: "Productivity" }];
  return { ".agents/plugins/marketplace.json": json({ name, interface: { displayName: "Jeeves" }, plugins }) };
}
