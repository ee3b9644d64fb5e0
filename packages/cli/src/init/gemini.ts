// Gemini CLI: server and hooks in one settings.json. A hook is a command; to Gemini one that fails, or is not there, is a
// failed tool, so the command looks for the launcher first.
import { join } from "node:path";
import { isRecord, shellQuote, traitsOf } from "@jeeves/base";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { dropHooks, type Json, jsonChange, listAt, objectAt } from "./json-settings.ts";
import { addServer, removeServer } from "./own-server.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

/** Which tools a hook is for. */
const MATCHERS = {
  BeforeTool: "replace|write_file",
  AfterTool: "read_file|run_shell_command|grep_search|search_file_content|glob|web_fetch|mcp_.*",
};
/** Gemini's own limit. A cut takes as long as the machine lets it, and a late one would leave the result whole. */
const TIMEOUT_MS = 60_000;
const OWN_VARIABLE = /\bJEEVES_\w+=(?:'[^']*'|\\.|[^\s'\\])+ /g;
const OWN_COMMAND = /[\\/]jeeves[\\/]+bin[\\/]+jeeves-hook(?![\w-])/;

/** The settings of Gemini CLI, and how they change. */
export function geminiChanges(setUp: SetUp): SettingsChange[] {
  const path = join(setUp.scope === "project" ? setUp.cwd : setUp.home, ".gemini", "settings.json");
  const place = { path, key: "mcpServers", name: SERVER_NAME };
  const server = { command: setUp.serverPath, args: [], env: serverEnv(setUp) };
  return [
    jsonChange(path, {
      reader: traitsOf("gemini"),
      what: setUp.parts === "tools" ? "our server and its tools" : "hooks that shorten what its own tools return",
      add(settings, before) {
        if (setUp.parts !== "hooks") addServer(settings, { ...place, before }, server);
        if (setUp.parts !== "tools") addHooks(settings, setUp);
      },
      remove(settings) {
        removeServer(settings, place);
        removeGeminiHooks(settings);
      },
    }),
  ];
}

function addHooks(settings: Json, setUp: SetUp): void {
  const hooks = objectAt(settings, "hooks");
  const program = shellQuote(dataLayoutOf(setUp.env).hookPath);
  // Gemini's hooks inherit the environment of their user's shell, and no other.
  const own = Object.entries(serverEnv(setUp, [])).filter(([name]) => name.startsWith("JEEVES_"));
  const words = own.map(([name, value]) => `${name}=${shellQuote(value)} `).join("");
  const command = `[ ! -x ${program} ] || ${words}${program} gemini`;
  for (const [moment, matcher] of Object.entries(MATCHERS))
    listAt(hooks, moment).push({
      matcher,
      hooks: [{ name: SERVER_NAME, type: "command", command, timeout: TIMEOUT_MS }],
    });
}

/** Takes our hooks out, and leaves those of others beside them. */
export function removeGeminiHooks({ hooks }: Json): void {
  if (isRecord(hooks)) dropHooks(hooks, ({ command }) => OWN_COMMAND.test(String(command)));
}

/** The command of our hook without the variables that it sets. */
export function withoutOwnVariables(command: string): string {
  return command.replace(OWN_VARIABLE, "");
}
