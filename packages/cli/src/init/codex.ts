// Codex: a table in config.toml between two comment lines of ours, and hooks in hooks.json. TOML is only looked through
// as far as is needed to see that it is not broken; what is there is never rewritten.
import { join } from "node:path";
import { CODEX_MATCHERS, toHookCall } from "@jeeves/intercept";
import { removeHooks } from "./claude-code.ts";
import { jsonChange, listAt, objectAt } from "./json-settings.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { keysOfToml, type TomlKey } from "./toml-keys.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

const BEGIN = "# >>> jeeves: jeeves init codex --remove takes this out";
const END = "# <<< jeeves";

export function codexChanges(setUp: SetUp): SettingsChange[] {
  const dir =
    setUp.scope === "project" ? join(setUp.cwd, ".codex") : setUp.env.CODEX_HOME || join(setUp.home, ".codex");
  const config = configChange(join(dir, "config.toml"), setUp);
  if (setUp.parts === "tools") return [config];
  const userDir = setUp.env.CODEX_HOME || join(setUp.home, ".codex");
  return [config, hooksChange(join(dir, "hooks.json"), setUp, join(userDir, "rules"))];
}

function configChange(path: string, setUp: SetUp): SettingsChange {
  const env = Object.entries(serverEnv(setUp)).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const block = [
    BEGIN,
    `[mcp_servers.${SERVER_NAME}]`,
    `command = ${JSON.stringify(process.execPath)}`,
    `args = [${JSON.stringify(setUp.serverPath)}]`,
    `env = { ${env.join(", ")} }`,
    // Codex asks before every tool that is not marked as reading; ours only read.
    `default_tools_approval_mode = "approve"`,
    END,
    "",
  ].join("\n");
  return {
    path,
    add(content = "") {
      const without = cutBlock(content);
      refuseOwnServer(path, keysOfToml(path, without));
      const gap = without === "" ? "" : without.endsWith("\n") ? "\n" : "\n\n";
      return `${without}${gap}${block}`;
    },
    remove(content) {
      const without = cutBlock(content);
      return without.trim() === "" && without !== content ? undefined : without;
    },
  };
}

/** TOML lets nobody add to a table that is there already, in whatever way it was written: Codex would not start. */
function refuseOwnServer(path: string, keys: readonly TomlKey[]): void {
  for (const { names, line, isTable } of keys) {
    const [first, second] = names;
    if (first !== "mcp_servers") continue;
    if (second === SERVER_NAME)
      throw new SetupError(
        `${path} has an mcp_servers.${SERVER_NAME} of its own (line ${line})`,
        "it was left untouched",
      );
    if (second === undefined && !isTable)
      throw new SetupError(
        `${path} has its mcp_servers in one value (line ${line}), to which nothing can be added`,
        "write them as tables, [mcp_servers.NAME], first; it was left untouched",
      );
  }
}

/** The text without our block, and without the empty line that came with it. */
function cutBlock(content: string): string {
  const from = content.indexOf(BEGIN);
  const to = content.indexOf(END, from);
  if (from < 0 || to < 0) return content;
  const before = content.slice(0, from).replace(/\n\n$/, "\n");
  return before + content.slice(to + END.length).replace(/^\r?\n/, "");
}

function hooksChange(path: string, setUp: SetUp, rulesDir: string): SettingsChange {
  const how = { server: SERVER_NAME, execPath: setUp.execPath, rulesDir };
  return jsonChange(path, {
    add(settings) {
      const hooks = objectAt(settings, "hooks");
      for (const moment of ["PreToolUse", "PostToolUse"] as const)
        listAt(hooks, moment).push({ matcher: CODEX_MATCHERS[moment], hooks: [toHookCall(moment, how)] });
    },
    remove: removeHooks,
  });
}
