// Clients that know MCP servers and no hooks: Gemini CLI and opencode. One JSON file each.
import { join } from "node:path";
import { isObject, type Json, jsonChange, parseJsonc } from "./json-settings.ts";
import { addServer, removeServer } from "./own-server.ts";
import { readSettings, type SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv, unreadWords } from "./what-to-set-up.ts";

export function geminiChanges(setUp: SetUp): SettingsChange[] {
  const path = join(setUp.scope === "project" ? setUp.cwd : setUp.home, ".gemini", "settings.json");
  return [change(path, "mcpServers", { command: setUp.serverPath, args: [], env: serverEnv(setUp) })];
}

export async function opencodeChanges(setUp: SetUp): Promise<SettingsChange[]> {
  const userDir = join(setUp.env.XDG_CONFIG_HOME || join(setUp.home, ".config"), "opencode");
  const path = join(setUp.scope === "project" ? setUp.cwd : userDir, "opencode.json");
  const dirs = [userDir, setUp.cwd, join(setUp.cwd, ".opencode")];
  const denied: string[] = [];
  for (const file of dirs.flatMap((dir) => [join(dir, "opencode.json"), join(dir, "opencode.jsonc")])) {
    const rules = await deniedReads(file);
    // The file that is to be changed says itself where it is broken.
    if (rules === undefined && file !== path) setUp.warn(unreadWords(file));
    denied.push(...(rules ?? []));
  }
  const server = {
    type: "local",
    command: [setUp.serverPath],
    environment: serverEnv(setUp, [...new Set(denied)]),
    enabled: true,
  };
  return [change(path, "mcp", server)];
}

/**
 * What opencode may not read: `permission.read`, or else what holds for all, is one word or words for patterns. Exceptions
 * are not looked at. undefined: the file is there and cannot be understood.
 */
async function deniedReads(path: string): Promise<string[] | undefined> {
  let settings: unknown;
  try {
    settings = parseJsonc((await readSettings(path, { follow: true })) ?? "");
  } catch {
    // Nothing that could be read.
  }
  if (settings === undefined) return undefined;
  const permission = isObject(settings) ? settings.permission : undefined;
  const read = isObject(permission) ? (permission.read ?? permission["*"]) : permission;
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
