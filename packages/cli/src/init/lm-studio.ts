// LM Studio: one mcp.json for its user. It knows no hooks and no projects, and starts servers in a directory of its own, so
// the directory that they may see is named to them.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientHomeOf, traitsOf } from "@jeeves/base";
import { jsonChange } from "./json-settings.ts";
import { addServer, RESEARCH_NAME, removeServer } from "./own-server.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

/** LM Studio's mcp.json, and how it changes. Throws SetupError where a root does not exist. */
export function lmStudioChanges(setUp: SetUp): SettingsChange[] {
  const roots = setUp.roots.map((root) => resolve(setUp.cwd, root));
  const missing = roots.find((root) => !existsSync(root));
  if (missing !== undefined) throw new SetupError(`there is no ${missing}`, "name a directory that exists");
  const dir = clientHomeOf(traitsOf("lm-studio"), { ...setUp.env, HOME: setUp.home });
  const path = resolve(setUp.cwd, setUp.file ?? join(dir, "mcp.json"));
  const env = { ...serverEnv(setUp), MCP_PRUNER_CWD: roots[0] ?? setUp.cwd };
  const servers = {
    [SERVER_NAME]: { command: setUp.serverPath, args: [], env },
    [RESEARCH_NAME]: { command: setUp.researchPath, args: roots.flatMap((root) => ["--root", root]) },
  };
  const places = Object.entries(servers).map(([name, server]) => ({ path, key: "mcpServers", name, server }));
  return [
    jsonChange(path, {
      what: `our servers and their tools; they see ${roots.join(", ")}`,
      add(settings, before) {
        for (const { server, ...place } of places) addServer(settings, { ...place, before }, server);
      },
      remove(settings) {
        for (const place of places) removeServer(settings, place);
      },
    }),
  ];
}
