// Codex: its server in config.toml, and hooks in hooks.json.
import { join } from "node:path";
import { clientHomeOf, traitsOf } from "@jeeves/base";
import { CODEX_MATCHERS, toHookCall } from "@jeeves/intercept";
import { removeHooks } from "./claude-code.ts";
import { configChange } from "./codex-config.ts";
import { jsonChange, listAt, objectAt } from "./json-settings.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SERVER_NAME, type SetUp } from "./what-to-set-up.ts";

/** The settings files of Codex for this scope, and how they change. */
export function codexChanges(setUp: SetUp): SettingsChange[] {
  const userDir = clientHomeOf(traitsOf("codex"), { ...setUp.env, HOME: setUp.home });
  const dir = setUp.scope === "project" ? join(setUp.cwd, ".codex") : userDir;
  const config = configChange(join(dir, "config.toml"), setUp);
  const hooks = hooksChange(join(dir, "hooks.json"), setUp, join(userDir, "rules"));
  // With the tools alone, hooks of an earlier init are taken out.
  return [config, setUp.parts === "tools" ? { path: hooks.path, remove: hooks.remove } : hooks];
}

function hooksChange(path: string, setUp: SetUp, rulesDir: string): SettingsChange {
  const how = { server: SERVER_NAME, execPath: setUp.execPath, rulesDir };
  return jsonChange(path, {
    what: "hooks for commands and results of MCP tools",
    add(settings) {
      const hooks = objectAt(settings, "hooks");
      for (const moment of ["PreToolUse", "PostToolUse"] as const)
        listAt(hooks, moment).push({ matcher: CODEX_MATCHERS[moment], hooks: [toHookCall(moment, how)] });
    },
    remove: removeHooks,
  });
}
