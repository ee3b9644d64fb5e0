// Runs inside opencode, loaded by the plugin file of `jeeves init opencode` or of the packaged plugin. It is built into
// one file without dependencies.
export { createHooks } from "./opencode-plugin/plugin.ts";
