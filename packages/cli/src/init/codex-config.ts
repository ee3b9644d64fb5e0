// Codex' config.toml: our server's tables, between two comment lines for readers. They are found again by
// their key: Codex' own writer moves and drops comments. What others wrote is looked through and never rewritten.
import { isRecord } from "@jeeves/base";
import { parse } from "smol-toml";
import { startsOwnFile } from "./own-server.ts";
import type { Content, SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { keysOfToml, type TomlKey } from "./text/toml-keys.ts";
import { SERVER_NAME, type SetUp, serverEnv } from "./what-to-set-up.ts";

const BEGIN = "# >>> jeeves:";
const END = "# <<< jeeves";
const SHARED_ENV = 'env_vars = ["JEEVES_DATABASE_URL"]';

/** Codex' config.toml. `add` throws SetupError where another server has our name or TOML allows no further table. */
export function configChange(path: string, setUp: SetUp): SettingsChange {
  // Codex starts servers without it, and our server reads Codex' permissions there.
  const { CODEX_HOME: codexHome } = setUp.env;
  const own = { ...serverEnv(setUp), ...(codexHome ? { CODEX_HOME: codexHome } : {}) };
  // Only the variable's name is written: its value may hold a password.
  const isShared = (setUp.env.JEEVES_DATABASE_URL ?? "") !== "";
  const settings = Object.entries(own).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const blockWith = ({ env, others }: AddedKeys) =>
    [
      `${BEGIN} jeeves init codex ${setUp.scope === "project" ? "--project " : ""}--remove takes this out`,
      `[mcp_servers.${SERVER_NAME}]`,
      `command = ${JSON.stringify(setUp.serverPath)}`,
      `env = { ${[...settings, ...env].join(", ")} }`,
      // Codex asks before every tool that is not marked as reading; ours only read.
      `default_tools_approval_mode = "approve"`,
      ...(isShared && !others.some((line) => line.startsWith("env_vars ")) ? [SHARED_ENV] : []),
      ...others,
      END,
      "",
    ].join("\n");
  return {
    path,
    what: setUp.parts === "hooks" ? "our server, with recover_text" : "our server and its tools",
    add(content = "") {
      const keys = keysOfToml(path, content);
      const ours = ownKeys(keys);
      refuseOthers(
        path,
        keys.filter((key) => !ours.includes(key)),
      );
      const without = cut(content, keys, ours);
      const gap = without === "" ? "" : without.endsWith("\n") ? "\n" : "\n\n";
      const block = blockWith(addedKeys(content, ours));
      const text = `${gap}${block}`;
      return without + (content.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
    },
    remove: (content, own) => removeFromConfig(path, content, own),
    added: (content) => addedToConfig(path, content),
  };
}

/** What the user added to our table. */
export function addedToConfig(path: string, content: string): string[] {
  const { env, others } = addedKeys(content, ownKeys(keysOfToml(path, content)));
  return [...env.map((line) => `env.${line}`), ...others];
}

/** The config without our tables; undefined where that leaves nothing. */
export function removeFromConfig(path: string, content: string, own: Content): Content {
  const keys = keysOfToml(path, content);
  const without = cut(content, keys, ownKeys(keys));
  return without.trim() === "" && without !== content && own === undefined ? undefined : without;
}

interface AddedKeys {
  readonly env: readonly string[];
  readonly others: readonly string[];
}

const OWN_KEYS = ["command", "args", "env", "default_tools_approval_mode"];
const OWN_ENV = ["MCP_PRUNER_TOOLS", "PRUNER_ENGINE", "JEEVES_MODE", "JEEVES_STATE_DIR", "CODEX_HOME"];

/** What the user added to our server stays when it is set up again, as lines of TOML: what is forbidden to it, its limits. */
function addedKeys(content: string, ours: readonly TomlKey[]): AddedKeys {
  if (ours.length === 0) return { env: [], others: [] };
  const { mcp_servers: servers } = parse(content.replace(/^\uFEFF/, ""));
  const server = isRecord(servers) ? servers[SERVER_NAME] : undefined;
  if (!isRecord(server)) return { env: [], others: [] };
  const { env } = server;
  const others = linesOf(server, OWN_KEYS).filter((line) => line !== SHARED_ENV);
  return { env: isRecord(env) ? linesOf(env, OWN_ENV) : [], others };
}

function linesOf(table: Readonly<Record<string, unknown>>, own: readonly string[]): string[] {
  return Object.entries(table).flatMap(([key, value]) =>
    own.includes(key) ? [] : [`${keyOf(key)} = ${inline(value)}`],
  );
}

function keyOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A value of TOML in one line. */
function inline(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isRecord(value)) return `{ ${linesOf(value, []).join(", ")} }`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The headers of our tables and what stands under them; none where another tool's server has our name. */
function ownKeys(keys: readonly TomlKey[]): TomlKey[] {
  const ours: TomlKey[] = [];
  let isInside = false;
  for (const key of keys) {
    if (key.isTable) isInside = key.names[0] === "mcp_servers" && key.names[1] === SERVER_NAME;
    if (isInside) ours.push(key);
  }
  const isStarted = ours.some(
    ({ names, value }) => ["command", "args"].includes(names.slice(2).join()) && startsOwnFile(SERVER_NAME, value),
  );
  return isStarted ? ours : [];
}

/** TOML allows no additions to a table that is there already, in whatever way it was written: Codex would not start. */
function refuseOthers(path: string, keys: readonly TomlKey[]): void {
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

/** The text without our tables and comment lines, and without the empty line that came with each. */
function cut(content: string, keys: readonly TomlKey[], ours: readonly TomlKey[]): string {
  const lines = content.split(/(?<=\n)/);
  const dropped = new Set<number>();
  const drop = (from: number, to: number) => {
    for (let index = from; index <= to; index++) dropped.add(index);
    if (from > 1 && lines[from - 1]?.trim() === "") dropped.add(from - 1);
  };
  for (const { line, lastLine } of ours) drop(line - 1, lastLine - 1);
  const isInValue = (index: number) => keys.some(({ line, lastLine }) => line <= index && index < lastLine);
  for (const [index, line] of lines.entries()) {
    if (line.trimStart().startsWith(BEGIN) && !isInValue(index)) drop(index, index);
    if (line.trim() === END && !isInValue(index)) dropped.add(index);
  }
  return lines.filter((_, index) => !dropped.has(index)).join("");
}
