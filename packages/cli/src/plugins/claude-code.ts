// The plugin for Claude Code, and the marketplace that offers it. A plugin cannot set the shell prefix, without which
// failing commands are shown as Claude Code cuts them (tried in 2.1.197 and 2.1.325: neither its settings.json nor the
// file of CLAUDE_ENV_FILE reaches the client's own environment). So its SessionStart names the command that adds it.
import { traitsOf } from "@jeeves/base";
import { SERVER_NAME, serverEnv } from "../init/what-to-set-up.ts";
import {
  AUTHOR,
  filledIn,
  hooksOf,
  json,
  type PluginAbout,
  type PluginFiles,
  pluginSetUp,
  SERVER_FILE,
} from "./plugin-files.ts";

const CLIENT = "claude-code";
const ROOT = filledIn("CLAUDE_PLUGIN_ROOT");
const START = "hooks/session-start";
const { shellPrefix: PREFIX = "" } = traitsOf(CLIENT);

/** The plugin's own files. */
export function claudePlugin(about: PluginAbout): PluginFiles {
  const { name } = about;
  const setUp = pluginSetUp(ROOT, "hooks");
  const server = { command: "node", args: [`${ROOT}/${SERVER_FILE}`], env: serverEnv(setUp, []) };
  const hooks = hooksOf(CLIENT, setUp, `plugin:${name}:${SERVER_NAME}`);
  const start = { hooks: [{ type: "command", command: `sh "${ROOT}/${START}"` }] };
  return {
    ".claude-plugin/plugin.json": json({ ...about, author: AUTHOR }),
    ".mcp.json": json({ mcpServers: { [SERVER_NAME]: { type: "stdio", ...server } } }),
    "hooks/hooks.json": json({ hooks: { ...Object(hooks), SessionStart: [start] } }),
    [START]: SESSION_START,
  };
}

/** The marketplace's own file; `source`: the plugin's folder. */
export function claudeMarketplace({ name, description }: PluginAbout, source: string): PluginFiles {
  const plugins = [{ name, source, description }];
  return { ".claude-plugin/marketplace.json": json({ name, owner: AUTHOR, metadata: { description }, plugins }) };
}

/** A hook whose message the user sees, and the model does not. */
const SESSION_START = `#!/bin/sh
# Tells the user, and not the model, what this plugin cannot do by itself: a plugin cannot set ${PREFIX}.
jp_prefix=\${${PREFIX}:-}
case $jp_prefix in
  '') ;;
  # An update of the plugin may have taken away what the launcher starts.
  */bin/jeeves-exec) [ -d "\${jp_prefix%/bin/jeeves-exec}/installation/" ] && exit 0 ;;
  *) exit 0 ;;
esac
jp_root=\${CLAUDE_PLUGIN_ROOT:-$(dirname "$(dirname "$0")")}
# What would have to be escaped, in JSON or in a shell.
case $jp_root in *["'"'"\\\\']* | *[[:cntrl:]]*) exit 0 ;; esac
printf '{"systemMessage":"Jeeves cuts reads and searches. To have commands cut too, failing tests among them, run once: node '"'"'%s/packages/cli/dist/jeeves.js'"'"' init ${CLIENT} --commands"}\\n' "$jp_root"
`;
