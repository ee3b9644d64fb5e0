#!/usr/bin/env node
// The MCP server of a haven, started from a clone: node mcp/rudder-server.js [--project-root DIR] [--socket PATH]
// [--port PORT] [--task-id TNNN]. The project is the directory above this one unless it is named.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const server = new URL("../packages/rudder/dist/rudder-server.js", import.meta.url);
if (!existsSync(server)) {
  process.stderr.write(`rudder-server has not been built. Run this once:\n  cd ${root} && npm run build\n`);
  process.exit(1);
}
// The first of two: one that was named comes later, and wins.
process.argv.splice(2, 0, "--project-root", root);
await import(server.href);
