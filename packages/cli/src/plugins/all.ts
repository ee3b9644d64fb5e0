// Everything that `npm run package` writes beside the npm packages.
export { mcpBundle, registryEntry } from "./bundle.ts";
export { claudeMarketplace, claudePlugin } from "./claude-code.ts";
export { codexMarketplace, codexPlugin } from "./codex.ts";
export { geminiExtension } from "./gemini.ts";
export { opencodePlugin } from "./opencode.ts";
