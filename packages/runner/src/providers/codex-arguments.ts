// The arguments of `codex exec`, made from a run's options alone. The prompt is not among them: it goes in on stdin, where
// it may be of any length and start with any character.
import type { McpServerConfig, ProviderRunOptions } from "../provider.ts";
import { toCodexHookSettings, toToml } from "./codex-hooks.ts";

type CodexOptions = Pick<
  ProviderRunOptions,
  "cwd" | "env" | "model" | "mcpServers" | "mcpConfigFile" | "isSandboxed" | "hooks"
>;

/** The arguments that follow `codex`. Throws where a server's name cannot be a key of Codex' configuration. */
export function toCodexArguments(options: CodexOptions): readonly string[] {
  const hooks = options.hooks === undefined ? [] : toCodexHookSettings(options.hooks, options);
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    // Codex cannot make its namespaces inside another sandbox: every command would fail.
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
 * J-90, and the approval without which `exec` refuses `bash`. Our servers are never `required`: a broken one would end the
 * run. Those of the caller's file are, because the agent cannot work without them, and Codex silently leaves out a server
 * that takes a second to start.
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
    // Only its name: other users can read a command line, and the value may contain a password.
    ...(isShared ? [`${at}.env_vars=["JEEVES_DATABASE_URL"]`] : []),
    `${at}.default_tools_approval_mode="approve"`,
    ...(isRequired ? [`${at}.required=true`] : []),
  ];
  return settings.flatMap((setting) => ["--config", setting]);
}

/** Codex splits the path at every dot and does not allow quotes there, so a name with a dot cannot be written. */
function toKey(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} cannot be a key of Codex' configuration`);
  return name;
}
