// Clients that know MCP servers and no hooks: Gemini CLI and opencode. One JSON file each.
import { join } from "node:path";
import { dropKey, type Json, jsonChange, objectAt } from "./json-settings.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

export function geminiChanges(setUp: SetUp): SettingsChange[] {
  const path = join(setUp.scope === "project" ? setUp.cwd : setUp.home, ".gemini", "settings.json");
  return [change(path, "mcpServers", { command: process.execPath, args: [setUp.serverPath], env: serverEnv(setUp) })];
}

export function opencodeChanges(setUp: SetUp): SettingsChange[] {
  const config = setUp.env.XDG_CONFIG_HOME || join(setUp.home, ".config");
  const path = join(setUp.scope === "project" ? setUp.cwd : join(config, "opencode"), "opencode.json");
  const server = {
    type: "local",
    command: [process.execPath, setUp.serverPath],
    environment: serverEnv(setUp),
    enabled: true,
  };
  return [change(path, "mcp", server)];
}

function change(path: string, key: string, server: Json): SettingsChange {
  return jsonChange(path, {
    add(settings) {
      objectAt(settings, key)[SERVER_NAME] = server;
    },
    remove: (settings) => dropKey(settings, key, SERVER_NAME),
  });
}
