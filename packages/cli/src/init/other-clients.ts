// Clients that know MCP servers and no hooks: Gemini CLI and opencode. One JSON file each.
import { join } from "node:path";
import { isObject, type Json, jsonChange } from "./json-settings.ts";
import { addServer, removeServer } from "./own-server.ts";
import { readSettings, type SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

export function geminiChanges(setUp: SetUp): SettingsChange[] {
  const path = join(setUp.scope === "project" ? setUp.cwd : setUp.home, ".gemini", "settings.json");
  return [change(path, "mcpServers", { command: process.execPath, args: [setUp.serverPath], env: serverEnv(setUp) })];
}

export async function opencodeChanges(setUp: SetUp): Promise<SettingsChange[]> {
  const userDir = join(setUp.env.XDG_CONFIG_HOME || join(setUp.home, ".config"), "opencode");
  const files = [userDir, setUp.cwd].map((dir) => join(dir, "opencode.json"));
  const denied = await Promise.all(files.map(deniedReads));
  const server = {
    type: "local",
    command: [process.execPath, setUp.serverPath],
    environment: serverEnv(setUp, [...new Set(denied.flat())]),
    enabled: true,
  };
  return [change(files[setUp.scope === "project" ? 1 : 0] ?? "", "mcp", server)];
}

/** What opencode may not read: `permission.read` is one word, or words for patterns. Exceptions are not looked at. */
async function deniedReads(path: string): Promise<string[]> {
  let settings: unknown;
  try {
    settings = JSON.parse((await readSettings(path, { follow: true })) ?? "{}");
  } catch {
    return []; // not there, or said where the file is changed
  }
  const permission = isObject(settings) ? settings.permission : undefined;
  const read = isObject(permission) ? permission.read : permission;
  if (read === "deny") return ["**"];
  if (!isObject(read)) return [];
  return Object.keys(read)
    .filter((pattern) => read[pattern] === "deny")
    .map((pattern) => pattern.replaceAll(",", "?"));
}

function change(path: string, key: string, server: Json): SettingsChange {
  const place = { path, key, name: SERVER_NAME };
  return jsonChange(path, {
    add: (settings) => addServer(settings, place, server),
    remove: (settings) => removeServer(settings, place),
  });
}
