// Clients that know MCP servers and no hooks: Gemini CLI and opencode. One JSON file each.
import { join } from "node:path";
import { clientHomeOf, traitsOf } from "@jeeves/base";
import { type Json, jsonChange } from "./json-settings.ts";
import { addServer, removeServer } from "./own-server.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

export function geminiChanges(setUp: SetUp): SettingsChange[] {
  const path = join(setUp.scope === "project" ? setUp.cwd : setUp.home, ".gemini", "settings.json");
  return [change(path, "mcpServers", { command: setUp.serverPath, args: [], env: serverEnv(setUp) })];
}

export function opencodeChanges(setUp: SetUp): SettingsChange[] {
  const userDir = clientHomeOf(traitsOf("opencode"), { ...setUp.env, HOME: setUp.home });
  const path = join(setUp.scope === "project" ? setUp.cwd : userDir, "opencode.json");
  const server = {
    type: "local",
    command: [setUp.serverPath],
    environment: serverEnv(setUp),
    enabled: true,
  };
  return [change(path, "mcp", server)];
}

function change(path: string, key: string, server: Json): SettingsChange {
  const place = { path, key, name: SERVER_NAME };
  return jsonChange(path, {
    add: (settings, before) => addServer(settings, { ...place, before }, server),
    remove: (settings) => removeServer(settings, place),
  });
}
