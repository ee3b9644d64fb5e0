// The plugin for opencode: a package that its settings name by its path. opencode takes the server from `main`, and from
// a path only one with an id.
import { loadingHooks } from "../init/opencode.ts";
import { SERVER_NAME, serverEnv } from "../init/what-to-set-up.ts";
import { json, type PluginAbout, type PluginFiles, pluginSetUp, SERVER_FILE } from "./plugin-files.ts";

const MAIN = "opencode.js";
const HOOKS_FILE = "./packages/cli/dist/opencode-plugin.mjs";

/** The plugin's own files. */
export function opencodePlugin(about: PluginAbout, engines: { readonly node: string }): PluginFiles {
  return {
    "package.json": json({ ...about, private: true, type: "module", main: MAIN, engines }),
    [MAIN]: mainText(about),
  };
}

/** opencode does not run in Node, so the server is started with the one on PATH. */
function mainText({ name }: PluginAbout): string {
  const env = serverEnv(pluginSetUp("", "hooks"), []);
  return `// The plugin of Jeeves for opencode: shortens what its own tools return. Without the files beside it it does nothing.
import { fileURLToPath } from "node:url";

const options = {
  launcher: "node",
  args: [fileURLToPath(new URL("./${SERVER_FILE}", import.meta.url))],
  env: ${JSON.stringify(env)},
  ownServer: ${JSON.stringify(SERVER_NAME)},
};

export default { id: ${JSON.stringify(name)}, server: ${loadingHooks(HOOKS_FILE)} };
`;
}
