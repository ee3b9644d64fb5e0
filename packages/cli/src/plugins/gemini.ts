// The extension for Gemini CLI: the hooks that `jeeves init gemini` writes, and no tool. Gemini fills in extensionPath in
// every text of hooks.json; as a variable of the hook it may have any character, quotes too.
import { filledIn, json, type PluginAbout, type PluginFiles, pluginSetUp, settingsOf } from "./plugin-files.ts";

const CLIENT = "gemini";
const HOOK_FILE = "packages/cli/bin/jeeves-hook";
const VARIABLE = "JEEVES_EXTENSION";
/** To Gemini a hook that fails is a failed tool. */
const COMMAND = `[ ! -f "$${VARIABLE}/${HOOK_FILE}" ] || sh "$${VARIABLE}/${HOOK_FILE}" ${CLIENT}`;

/** The extension's own files. */
export function geminiExtension({ name, version, description }: PluginAbout): PluginFiles {
  const root = filledIn("extensionPath");
  const [{ hooks } = { hooks: {} }] = settingsOf(CLIENT, pluginSetUp(root, "hooks"));
  const own = JSON.parse(JSON.stringify(hooks), (_, value) =>
    typeof value?.command === "string" ? { ...value, command: COMMAND, env: { [VARIABLE]: root } } : value,
  );
  return {
    "gemini-extension.json": json({ name, version, description }),
    "hooks/hooks.json": json({ hooks: own }),
  };
}
