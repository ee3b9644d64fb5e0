// Our hooks as settings of one `codex exec`. Codex runs only hooks that its user has trusted, and records trust as a hash of
// the hook. The settings trust exactly our hooks, for this run alone; all others stay as they were.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { clientHomeOf, traitsOf } from "@jeeves/base";
import { CODEX_MATCHERS, type HookMoment, toHookCall } from "@jeeves/intercept";
import type { RunHooks } from "../provider.ts";

/** The source that Codex reports for a hook from the command line. */
const SOURCE = "/<session-flags>/config.toml";
const TIMEOUT_S = 60;
const MOMENTS = { PreToolUse: "pre_tool_use", PostToolUse: "post_tool_use" } as const satisfies Record<
  HookMoment,
  string
>;

/** The values of `--config` that set up and trust our hooks. */
export function toCodexHookSettings(
  hooks: Pick<RunHooks, "execPath" | "server">,
  { env }: { readonly env: NodeJS.ProcessEnv },
): readonly string[] {
  const rulesDir = join(clientHomeOf(traitsOf("codex"), env), "rules");
  const settings: string[] = [];
  const trusted: Record<string, unknown> = {};
  for (const [moment, name] of Object.entries(MOMENTS)) {
    if (moment !== "PreToolUse" && moment !== "PostToolUse") continue;
    const call = toHookCall(moment, { server: hooks.server, execPath: hooks.execPath, rulesDir });
    const group = { matcher: CODEX_MATCHERS[moment], hooks: [{ ...call, timeout: TIMEOUT_S }] };
    settings.push(`hooks.${moment}=${toToml([group])}`);
    trusted[`${SOURCE}:${name}:0:0`] = { trusted_hash: hashOf({ event_name: name, ...group }) };
  }
  return [...settings, `hooks.state=${toToml(trusted)}`];
}

/** Codex' default for how long a hook may run. */
const DEFAULT_TIMEOUT_S = 600;

/**
 * The hash by which Codex 0.166 trusts one hook of its settings.
 * @param moment in Codex' own words, `pre_tool_use`
 */
export function codexHookHash(moment: string, matcher: string | undefined, hook: object): string {
  const own = { timeout: DEFAULT_TIMEOUT_S, ...hook };
  return hashOf({ event_name: moment, ...(matcher === undefined ? {} : { matcher }), hooks: [own] });
}

/** As Codex 0.166 computes it: SHA-256 of the hook as JSON with sorted keys. */
function hashOf(identity: object): string {
  return `sha256:${createHash("sha256")
    .update(JSON.stringify(inOrder(identity)))
    .digest("hex")}`;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** A JSON value as TOML on one line: arrays, and objects as inline tables with quoted keys. */
export function toToml(value: unknown): string {
  // A JSON string is a TOML basic string, save for one character that TOML wants escaped.
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(toToml).join(",")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${toToml(key)}=${toToml(each)}`)
    .join(",")}}`;
}
