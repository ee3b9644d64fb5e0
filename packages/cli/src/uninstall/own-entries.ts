// Takes everything of ours out of one settings file, whichever client's it is and whichever version wrote it.
import { removeFromProjects, settingsChange } from "../init/claude-code.ts";
import { addedToConfig, removeFromConfig } from "../init/codex-config.ts";
import { removeGeminiHooks } from "../init/gemini.ts";
import { jsonChange } from "../init/json-settings.ts";
import { isOwnPlugin } from "../init/opencode.ts";
import { RESEARCH_NAME, removeServer } from "../init/own-server.ts";
import type { Content, SettingsChange } from "../init/settings-file.ts";
import { SERVER_NAME, type SetUp } from "../init/what-to-set-up.ts";

/** `stateDirs`: earlier versions wrote a permission that names the state directory. */
export function ownEntriesRemoval(path: string, setUp: SetUp, stateDirs: readonly string[]): SettingsChange {
  if (path.endsWith(".toml"))
    return {
      path,
      remove: (content, own) => removeFromConfig(path, content, own),
      added: (content) => addedToConfig(path, content),
    };
  if (path.endsWith(".js")) return { path, remove: (content) => (isOwnPlugin(content) ? undefined : content) };
  const servers = jsonChange(path, {
    add() {},
    remove(settings) {
      removeGeminiHooks(settings);
      removeFromProjects(settings);
      for (const key of ["mcpServers", "mcp"])
        for (const name of [SERVER_NAME, RESEARCH_NAME]) removeServer(settings, { key, name });
    },
  });
  const settings = stateDirs.map((dir) => settingsChange(path, withStateDir(setUp, dir)));
  return {
    path,
    remove(content, own) {
      let rest: Content = content;
      for (const { remove } of [servers, ...settings]) rest = rest === undefined ? undefined : remove(rest, own);
      return rest;
    },
  };
}

function withStateDir(setUp: SetUp, dir: string): SetUp {
  return { ...setUp, env: { ...setUp.env, JEEVES_STATE_DIR: dir } };
}
