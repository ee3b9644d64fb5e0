// `npm run package`: what people install, made from one build into out/: the npm packages `jeeves` and `@jeeves/prune` as
// folders and tarballs, the plugins for Claude Code and Codex with their marketplaces, the extension for Gemini CLI, the
// .mcpb bundle, the registry's server.json and snippets for clients that are set up by hand. Does nothing where out/ was made from the same files.
import { ensurePackaged } from "./package/ensure-packaged.mjs";

console.log(await ensurePackaged());
