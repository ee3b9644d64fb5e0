// Runs inside opencode, loaded by the plugin file of `jeeves init opencode` or of the packaged plugin. One file that needs nothing beside it.
export { createHooks } from "./opencode-plugin/plugin.ts";
