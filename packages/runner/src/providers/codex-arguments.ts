// The words of `codex exec`, made from a run's options and from nothing else. The prompt is not among them: it goes in on
// stdin, where it may be of any length and start with any character.
import type { McpServerConfig, ProviderRunOptions } from "../provider.ts";
import { toCodexHookSettings, toToml } from "./codex-hooks.ts";

type CodexOptions = Pick<
  ProviderRunOptions,
  "cwd" | "env" | "model" | "mcpServers" | "mcpConfigFile" | "isSandboxed" | "hooks"
>;

export function toCodexArguments(options: CodexOptions): readonly string[] {
  const hooks = options.hooks === undefined ? [] : toCodexHookSettings(options.hooks, options);
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    // Namespaces cannot be made inside a sandbox of namespaces: every command of Codex' would fail.
    options.isSandboxed === true ? "danger-full-access" : "workspace-write",
    "--cd",
    options.cwd,
    ...(options.model === undefined ? [] : ["--model", options.model]),
    ...Object.entries(options.mcpServers ?? {}).flatMap(([name, server]) =>
      toServerArguments(name, server, {
        isRequired: options.mcpConfigFile?.servers.includes(name) === true,
        isShared: (options.env.JEEVES_DATABASE_URL ?? "") !== "",
      }),
    ),
    ...hooks.flatMap((setting) => ["--config", setting]),
    "-",
  ];
}

/**
 * J-90, and the approval without which `exec` refuses `bash`. Ours are never `required`: a broken server would end the
 * run. Those of the caller's file are: Codex leaves out in silence what needs a second to start, and the agent is
 * nothing without them.
 */
function toServerArguments(
  name: string,
  { command, args, env }: McpServerConfig,
  { isRequired, isShared }: { readonly isRequired: boolean; readonly isShared: boolean },
): readonly string[] {
  const at = `mcp_servers.${toKey(name)}`;
  const settings = [
    `${at}.command=${toToml(command)}`,
    ...(args === undefined ? [] : [`${at}.args=[${args.map(toToml).join(",")}]`]),
    ...Object.entries(env ?? {}).map(([key, value]) => `${at}.env.${toKey(key)}=${toToml(value)}`),
    // By its name: others can read a command line, and a password may be in the value.
    ...(isShared ? [`${at}.env_vars=["JEEVES_DATABASE_URL"]`] : []),
    `${at}.default_tools_approval_mode="approve"`,
    ...(isRequired ? [`${at}.required=true`] : []),
  ];
  return settings.flatMap((setting) => ["--config", setting]);
}

/** Codex splits the path at every dot and knows no quotes there, so a name with a dot cannot be said. */
function toKey(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} cannot be a key of Codex' configuration`);
  return name;
}
